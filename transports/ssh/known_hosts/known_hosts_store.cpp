#include <algorithm>
#include <map>
#include <utility>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "transports/ssh/known_hosts/known_hosts.hpp"
#include "transports/ssh/logger.hpp"
#include "transports/ssh/shared_result.hpp"

namespace volley::transports::ssh {
namespace {

using FilePtr = std::shared_ptr<KnownHostsFile>;

/// Not a file to read: ssh_config's word for "no file", or the usual way to keep nothing.
bool keeps_nothing(const std::filesystem::path& path) { return path == "none" || path == "/dev/null"; }

FilePtr read_known_hosts(const std::filesystem::path& path) {
    std::string text;
    std::string problem;
    std::error_code unsure;
    const bool there = std::filesystem::exists(path, unsure);  // with a reason when that is not known
    if (!keeps_nothing(path) && (there || unsure)) {
        try {
            text = read_file(path, "known hosts file");
        } catch (const Error& error) {
            problem = error.what();
            log(LogLevel::Debug, logger, problem);
        }
    }
    auto file = std::make_shared<KnownHostsFile>(path.string(), text);
    file->set_problem(std::move(problem));
    return file;
}

}  // namespace

struct KnownHostsStore::State {
    explicit State(Runtime& runtime_) : runtime(runtime_) {}

    std::shared_ptr<SharedResult<FilePtr>> shared_file(const std::filesystem::path& path) {
        auto& result = files[path];
        if (!result) result = std::make_shared<SharedResult<FilePtr>>(runtime.loop());
        return result;
    }
    /// `self` keeps the cache alive while a worker reads.
    static Task<FilePtr> open(std::shared_ptr<State> self, std::filesystem::path path) {
        auto work = [path] { return read_known_hosts(path); };
        auto job = self->runtime.blocking(std::move(work));
        auto result = self->shared_file(path);
        co_return co_await SharedResult<FilePtr>::get(std::move(result), std::move(job));
    }

    Runtime& runtime;
    std::map<std::filesystem::path, std::shared_ptr<SharedResult<FilePtr>>> files;
};

KnownHostsStore::KnownHostsStore(Runtime& runtime) : state_(std::make_shared<State>(runtime)) {}
KnownHostsStore::~KnownHostsStore() = default;

Task<KnownHosts> KnownHostsStore::open(std::vector<std::filesystem::path> files) {
    const auto state = state_;
    std::vector<FilePtr> opened;
    for (const auto& path : files) opened.push_back(co_await State::open(state, path));
    co_return KnownHosts(std::move(opened));
}

Task<void> KnownHostsStore::remember(std::filesystem::path file, std::string host, int port,
                                     std::string key_blob, bool hashed) {
    const auto state = state_;
    const FilePtr known = co_await State::open(state, file);
    const auto entries = known->find(known_hosts_name(host, port));
    const auto same = [&key_blob](const KnownHostsFile::Entry* entry) {
        return entry->marker == KnownHostsFile::Marker::None && entry->blob == key_blob;
    };
    if (std::any_of(entries.begin(), entries.end(), same)) co_return;
    std::string line = known_hosts_line(host, port, key_blob, hashed);
    known->add(line);
    if (keeps_nothing(file)) co_return;
    auto work = [file, line]() -> std::string {
        try {
            append_known_host(file, line);
            return {};
        } catch (const Error& error) {
            return error.what();
        }
    };
    const std::string fault = co_await state->runtime.blocking(std::move(work));
    if (!fault.empty()) log_warning_once("ssh_known_hosts", logger, fault);
}

}  // namespace volley::transports::ssh
