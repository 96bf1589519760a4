#include <fmt/format.h>

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>

#include "planner/module_install/sources/forge.hpp"
#include "planner/module_install/sources/unpack.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/log.hpp"

namespace volley::modules {
namespace {

namespace fs = std::filesystem;

/// Archives in a folder, for machines that reach no server. An archive is known by its file's name and says
/// in its metadata.json what it needs.
class ForgeFolder final : public Forge {
public:
    explicit ForgeFolder(fs::path folder) : folder_(std::move(folder)) {}

    const std::vector<Release>& releases(const ModuleName& name) override {
        const std::lock_guard lock(mutex_);
        const auto known = known_.find(name.slug());
        if (known != known_.end()) return known->second;
        std::vector<Release> found;
        for (const fs::path& file : archives()) {
            if (!file.filename().string().starts_with(name.slug() + "-")) continue;
            if (auto release = read_release(file); release && release->name.slug() == name.slug())
                found.push_back(*std::move(release));
        }
        sort_releases(found);
        return known_.emplace(name.slug(), std::move(found)).first->second;
    }

    Release release(const ModuleName& name, const std::string& version) override {
        for (const Release& one : releases(name)) {
            if (version_text(one.version) == version) return one;
        }
        throw Error("bolt/unknown-module-release",
                    fmt::format("{} has no version {} of the module {}", place(), version, name.full()));
    }

    std::string download(const Release& release) override {
        return read_file(release.file, "module archive");
    }
    std::string place() const override { return "file://" + folder_.string(); }

private:
    const std::vector<fs::path>& archives() {
        if (!archives_.empty()) return archives_;
        std::error_code error;
        for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
            if (at->path().filename().string().ends_with(".tar.gz")) archives_.push_back(at->path());
        }
        if (error) {
            throw Error("bolt/file-error", fmt::format("Cannot read the folder of modules {}: {}",
                                                       folder_.string(), error.message()));
        }
        return archives_;
    }

    static std::optional<Release> read_release(const fs::path& file) {
        const std::string metadata =
            file_in_archive(read_file(file, "module archive"), "metadata.json", file.string());
        std::string fault;
        auto release = read_metadata(try_parse_json(metadata, fault));
        if (release)
            release->file = file.string();
        else
            log(LogLevel::Warn, "planner.modules.forge",
                file.string() + " has no usable metadata.json and is left out" +
                    (fault.empty() ? "" : ": " + fault));
        return release;
    }

    fs::path folder_;
    std::mutex mutex_;
    std::vector<fs::path> archives_;
    std::map<std::string, std::vector<Release>> known_;
};

}  // namespace

std::unique_ptr<Forge> make_forge_folder(fs::path folder) {
    return std::make_unique<ForgeFolder>(std::move(folder));
}

}  // namespace volley::modules
