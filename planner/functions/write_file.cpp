#include <filesystem>
#include <system_error>

#include "planner/functions/plan_function.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// A file that goes away again.
class TextFile {
public:
    explicit TextFile(const std::string& content)
        : path_(std::filesystem::temp_directory_path() / ("volley-" + random_uuid())) {
        write_file_atomically(path_, content, 0600);
    }
    ~TextFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

Value do_write_file(PlanCall& call) {
    StepOptions options = step_options(call, 3);
    std::vector<inventory::Target> targets = call.run.resolve(call.arguments[2]);
    const TextFile file(call.text(0));
    options.description = "write file " + call.text(1);
    return run_step(call, UploadAction{file.path(), call.text(1)}, std::move(targets), options, "upload_file",
                    file.path().string());
}

}  // namespace

const Builtin& write_file_function() {
    static const Builtin def{
        .name = "write_file",
        .doc = "Writes a text to a file on targets.",
        .dispatches = {{.params = {{"String", "content"}, {"String[1]", "destination"}, {"Boltlib::TargetSpec", "targets"}, {"Hash[String[1], Any]", "options", Dispatch::Optional}}, .returns = "ResultSet", .call = plan_body<do_write_file>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
