#include "cli/run/output_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "cli/outputters/result_groups.hpp"
#include "planner/job.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"

namespace volley::cli {

OutputFolder::OutputFolder(std::filesystem::path folder, std::function<std::string(std::string_view)> name_of)
    : folder_(std::move(folder)), name_of_(std::move(name_of)) {
    const auto fail = [this](const std::string& what, const std::string& reason) {
        throw Error("bolt/file-error",
                    "Cannot " + what + " the folder " + folder_.string() + " for output: " + reason,
                    Json{{"path", folder_.string()}});
    };
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) fail("make", error.message());
    if (!std::filesystem::is_directory(folder_, error)) fail("make", "a file of that name exists");
    // Before anything runs: afterwards the output would be lost. Permissions alone do not say it, so a file
    // is made.
    std::string probe = (folder_ / ".volley-XXXXXX").string();
    const int file = ::mkostemp(probe.data(), O_CLOEXEC);
    if (file < 0) fail("write into", std::strerror(errno));
    ::close(file);
    ::unlink(probe.c_str());
}

void OutputFolder::on_event(const planner::Event& event) {
    const auto* finished = std::get_if<planner::TargetFinished>(&event);
    if (finished == nullptr || finished->result.status() == planner::Status::NotStarted) return;
    const planner::Result& result = finished->result;
    // As downloads are named: a URI would be several folders.
    const std::filesystem::path file = folder_ / planner::download_folder(name_of_(result.target()));
    std::string text = result_body(result);
    if (text.empty() && !result.ok()) text = failure_message(result);
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    try {
        if (written_.insert(file).second) return write_file_atomically(file, text, 0644);
        std::ofstream more(file, std::ios::app | std::ios::binary);
        if (!(more << text << std::flush)) throw std::runtime_error(std::strerror(errno));
    } catch (const std::exception& error) {
        log_warning("unwriteable_file", "cli",
                    "Cannot write the output of " + name_of_(result.target()) + " to " + file.string() +
                        ": " + error.what());
    }
}

}  // namespace volley::cli
