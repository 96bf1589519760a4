// Files and directories to and from a target that runs PowerShell: one script each way.
#include <fmt/format.h>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <nlohmann/json.hpp>

#include "support/text.hpp"
#include "transports/errors.hpp"
#include "transports/shell/files/receiver.hpp"
#include "transports/shell/files/transfer.hpp"
#include "transports/shell/powershell/gzip_input.hpp"
#include "transports/shell/powershell/powershell_shell.hpp"
#include "transports/shell/powershell/received_file.hpp"
#include "transports/shell/powershell/scripts.hpp"

namespace volley::transports {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

// The file errors of an action, with what was being done.
TransportError explained(const TransportError& error, const std::string& doing) {
    if (error.info().kind() != "puppetlabs.tasks/task_file_error") return error;
    return file_error(doing + error.info().msg(), error.info().issue_code());
}

/// The last part of a Windows path.
std::string remote_name(std::string path) {
    while (path.ends_with('\\') || path.ends_with('/')) path.pop_back();
    const std::size_t at = path.find_last_of("\\/:");
    return own_name(at == std::string::npos ? path : path.substr(at + 1));
}

class Ignored final : public OutputSink {
public:
    void on_output(Stream stream, std::string_view bytes) override {
        if (stream == Stream::Err && text.size() < 4096) text += bytes;
    }
    std::string text;
};

std::unique_ptr<Input> content_of(const fs::path& local, const PayloadEntry& entry) {
    if (entry.is_directory) return make_tar_input(payload_tree(local, "WRITE_ERROR"));
    auto file = std::make_unique<SequenceInput>();
    file->add(entry);
    return file;
}

}  // namespace

Task<void> PowerShellShell::upload(fs::path local, std::string remote, RunOptions options) {
    refuse_run_as(options);
    const std::string doing =
        fmt::format("Could not upload '{}' to '{}' on {}: ", local.string(), remote, options_.target);
    try {
        FileCopier* const files = session().files();
        auto sending = files == nullptr ? send(local, remote) : files->upload(local, remote);
        co_await std::move(sending);
    } catch (const TransportError& error) {
        throw explained(error, doing);
    }
}

Task<void> PowerShellShell::send(fs::path local, std::string remote) {
    const std::string name = own_name(local);
    const PayloadEntry entry = payload_entry(local, name, "WRITE_ERROR");
    const std::unique_ptr<Input> packed = make_gzip_input(content_of(local, entry));
    const Marker marker;
    const PowerShellScript script(
        PowerShellUse::Housekeeping, powershell_text("upload"),
        {remote, name, entry.is_directory ? "directory" : "file", marker.id, marker.begin, marker.end});
    Ignored rest;
    MarkedOutput marked(marker, rest);
    std::exception_ptr failure;
    try {
        auto running = session().run(script, *packed, marked);
        co_await std::move(running);
        marked.conclude();
        if (!marked.has_said("done"))
            throw file_error("the transfer was interrupted " + std::string(trim(rest.text)), "WRITE_ERROR");
    } catch (...) {
        failure = std::current_exception();
    }
    if (!failure) co_return;
    if (!marked.has_said("error")) {  // else it has removed its parts itself
        std::vector<std::string> where{"upload", remote, marker.id};
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        auto removing = remove(std::move(where));
        co_await std::move(removing);
        co_await asio::this_coro::reset_cancellation_state();
    }
    std::rethrow_exception(failure);
}

Task<fs::path> PowerShellShell::download(std::string remote, fs::path directory, RunOptions options) {
    refuse_run_as(options);
    const std::string doing = fmt::format("Could not download '{}' from {}: ", remote, options_.target);
    try {
        FileCopier* const files = session().files();
        auto receiving =
            files == nullptr ? receive(remote, directory) : receive_by_copier(*files, remote, directory);
        co_return co_await std::move(receiving);
    } catch (const TransportError& error) {
        throw explained(error, doing);
    }
}

Task<fs::path> PowerShellShell::receive_by_copier(FileCopier& files, std::string remote, fs::path directory) {
    DownloadFolder arrivals(std::move(directory));
    auto copying = files.download(remote, arrivals.path());
    co_await std::move(copying);
    co_return arrivals.keep(remote_name(remote));
}

Task<fs::path> PowerShellShell::receive(std::string remote, fs::path directory) {
    const Marker marker;
    const PowerShellScript script(PowerShellUse::Housekeeping, powershell_text("download"),
                                  {remote, marker.begin, marker.end});
    ReceivedFile file(directory, remote_name(remote));
    MarkedOutput marked(marker, file);
    NoInput nothing;
    auto running = session().run(script, nothing, marked);
    co_await std::move(running);
    marked.conclude();
    if (!marked.has_said("done")) throw file_error("the transfer was interrupted", "DOWNLOAD_ERROR");
    const std::function<fs::path()> keep = file.completion();
    auto work = runtime_.blocking(keep);
    co_return co_await std::move(work);
}

}  // namespace volley::transports
