#include "transports/ssh/known_hosts/known_hosts.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "support/error.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"
#include "transports/ssh/keys/keys.hpp"
#include "transports/ssh/known_hosts/hashed_names.hpp"

namespace volley::transports::ssh {
namespace {

constexpr int unmentioned_port = 22;

[[noreturn]] void known_hosts_fail(const std::filesystem::path& file, int code) {
    throw Error("bolt/file-error", "cannot write the known hosts file '" + file.string() +
                                       "': " + std::generic_category().message(code));
}

/// Another run may be writing too. A lock that is never released (a dead NFS server) must not hold us: after
/// two seconds we write without, which O_APPEND makes safe but for the line end check.
void lock_for_a_while(int fd) {
    for (int attempt = 0; attempt < 40; ++attempt) {
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

bool ends_within_a_line(int fd) {
    struct stat status {};
    if (::fstat(fd, &status) != 0 || status.st_size == 0) return false;
    char last = '\n';
    return ::pread(fd, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

}  // namespace

std::string known_hosts_name(std::string_view host, int port) {
    std::string name = lower(host);
    if (port == unmentioned_port || port == 0) return name;
    return "[" + name + "]:" + std::to_string(port);
}

std::string known_hosts_line(std::string_view host, int port, std::string_view key_blob, bool hashed) {
    const std::string name = known_hosts_name(host, port);
    return (hashed ? hash_name(name) : name) + " " + blob_type(key_blob) + " " + base64_encode(key_blob);
}

void append_known_host(const std::filesystem::path& file, std::string_view line) {
    std::error_code ignored;  // a folder that cannot be made shows when the file is opened
    const auto folder = file.parent_path();
    if (!folder.empty() && !std::filesystem::exists(folder, ignored)) {
        std::filesystem::create_directories(folder.parent_path(), ignored);
        ::mkdir(folder.c_str(), S_IRWXU);
    }
    const UniqueFd fd(::open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!fd) known_hosts_fail(file, errno);
    lock_for_a_while(fd.get());
    std::string bytes = ends_within_a_line(fd.get()) ? "\n" : "";
    bytes.append(line).append("\n");
    const auto written = ::write(fd.get(), bytes.data(), bytes.size());
    if (written < 0) known_hosts_fail(file, errno);
    if (static_cast<std::size_t>(written) != bytes.size()) known_hosts_fail(file, ENOSPC);
}

std::vector<const KnownHostsFile::Entry*> KnownHosts::lines(std::string_view host, int port) const {
    std::vector<const KnownHostsFile::Entry*> found;
    const std::string name = known_hosts_name(host, port);
    for (const auto& file : files_) {
        const auto in_file = file->find(name);
        found.insert(found.end(), in_file.begin(), in_file.end());
    }
    return found;
}

HostKeyCheck KnownHosts::check(std::string_view host, int port, std::string_view key_blob) const {
    HostKeyCheck answer;
    const auto decide = [&answer](HostVerdict verdict, const KnownHostsFile& file,
                                  const KnownHostsFile::Entry& entry) {
        answer = HostKeyCheck{verdict, file.name(), entry.line, entry.type};
    };
    const auto look = [&](const std::string& name, bool only_this_key) {
        for (const auto& file : files_) {
            for (const auto* entry : file->find(name)) {
                if (entry->marker == KnownHostsFile::Marker::Authority) continue;
                const bool same = entry->blob == key_blob;
                if (entry->marker == KnownHostsFile::Marker::Revoked) {
                    if (same) decide(HostVerdict::Revoked, *file, *entry);
                } else if (answer.verdict == HostVerdict::Revoked || answer.verdict == HostVerdict::Match) {
                    continue;
                } else if (same) {
                    decide(HostVerdict::Match, *file, *entry);
                } else if (answer.verdict == HostVerdict::Unknown && !only_this_key) {
                    decide(HostVerdict::Changed, *file, *entry);
                }
            }
        }
    };
    const std::string name = known_hosts_name(host, port);
    look(name, false);
    if (answer.verdict == HostVerdict::Unknown && name != known_hosts_name(host, unmentioned_port)) {
        look(known_hosts_name(host, unmentioned_port), true);
    }
    return answer;
}

std::vector<std::string> KnownHosts::key_types(std::string_view host, int port) const {
    std::vector<std::string> types;
    const auto collect = [&types](const std::vector<const KnownHostsFile::Entry*>& entries) {
        for (const auto* entry : entries) {
            if (entry->marker != KnownHostsFile::Marker::None) continue;
            if (std::find(types.begin(), types.end(), entry->type) == types.end())
                types.push_back(entry->type);
        }
    };
    collect(lines(host, port));
    if (types.empty() && port != unmentioned_port) collect(lines(host, unmentioned_port));
    return types;
}

std::string KnownHosts::problem() const {
    const auto bad =
        std::find_if(files_.begin(), files_.end(), [](const auto& file) { return !file->problem().empty(); });
    return bad == files_.end() ? std::string() : (*bad)->problem();
}

bool KnownHosts::has_authority(std::string_view host, int port) const {
    const auto found = lines(host, port);
    return std::any_of(found.begin(), found.end(), [](const KnownHostsFile::Entry* entry) {
        return entry->marker == KnownHostsFile::Marker::Authority;
    });
}

}  // namespace volley::transports::ssh
