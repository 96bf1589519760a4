#include <fcntl.h>
#include <poll.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/hardware/hardware.hpp"
#include "apply/agent/facts/units.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley::agent {
namespace {

constexpr int remote_patience_ms = 2000;

struct Space {
    std::uint64_t size = 0, free = 0, available = 0;
};

Space space_at(const std::string& path) {
    struct statvfs found {};
    if (::statvfs(path.c_str(), &found) != 0) return {};
    const std::uint64_t unit = found.f_frsize;
    return {found.f_blocks * unit, found.f_bfree * unit, found.f_bavail * unit};
}

/// File systems whose server may be gone: then whoever asks hangs.
bool is_remote(const std::string& filesystem) {
    static constexpr std::array<std::string_view, 12> kinds = {"9p",        "afs",    "ceph",  "cifs",
                                                               "glusterfs", "lustre", "ncpfs", "nfs",
                                                               "nfs4",      "smb3",   "smbfs", "virtiofs"};
    return filesystem.starts_with("fuse.") ||
           std::find(kinds.begin(), kinds.end(), filesystem) != kinds.end();
}

/// Asks for the space of a remote file system in a process of its own, which may hang in the kernel.
Space remote_space_at(const std::string& path) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    const UniqueFd in(ends[0]);
    UniqueFd out(ends[1]);
    const pid_t child = ::fork();
    if (child < 0) return {};
    if (child == 0) {
        const Space space = space_at(path);
        const ssize_t written = ::write(out.get(), &space, sizeof space);
        ::_exit(written == sizeof space ? 0 : 1);
    }
    out.reset();
    pollfd wanted{in.get(), POLLIN, 0};
    Space space;
    if (::poll(&wanted, 1, remote_patience_ms) <= 0 ||
        ::read(in.get(), &space, sizeof space) != static_cast<ssize_t>(sizeof space)) {
        ::kill(child, SIGKILL);
        // What hangs in the kernel cannot be waited for; init takes it.
        for (int look = 0; look < 10 && ::waitpid(child, nullptr, WNOHANG) == 0; ++look)
            ::poll(nullptr, 0, 10);
        return {};
    }
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return space;
}

std::string unescaped_field(std::string_view field) {
    std::string text;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const auto octal = [&](std::size_t at) { return field[at] >= '0' && field[at] <= '7'; };
        if (field[i] == '\\' && i + 3 < field.size() && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
            text +=
                static_cast<char>((field[i + 1] - '0') * 64 + (field[i + 2] - '0') * 8 + field[i + 3] - '0');
            i += 3;
        } else {
            text += field[i];
        }
    }
    return text;
}

/// The device that the kernel's command line names as the root file system's.
std::string root_device(const FactHost& host) {
    std::string named;
    for (const std::string& word : split(host.word("/proc/cmdline"), ' ')) {
        if (word.starts_with("root=")) named = word.substr(5);
    }
    const std::size_t equals = named.rfind('=');
    if (equals == std::string::npos) return named;
    const std::string id = named.substr(equals + 1);
    for (const char* folder : {"/dev/disk/by-partuuid/", "/dev/disk/by-uuid/", "/dev/disk/by-label/"}) {
        if (const auto device = host.link_name(folder + id)) return "/dev/" + *device;
    }
    for (const std::string& line : split(host.output_of({"blkid"}).value_or(""), '\n')) {
        if (line.find(id) != std::string::npos) return line.substr(0, line.find(':'));
    }
    return named;
}

Json find_mountpoints(const FactHost& host) {
    Json points = Json::object();
    for (const Mount& mount : mounts_on(host)) {
        Space space;
        if (host.is_running())
            space = is_remote(mount.filesystem) ? remote_space_at(mount.path) : space_at(mount.path);
        const std::uint64_t used = space.size - std::min(space.size, space.free);
        const std::uint64_t whole = used + space.available;
        std::string capacity = used == whole ? "100%" : "0%";
        if (used > 0 && used != whole) capacity = percentage(used, whole);
        // Of several on one path the last one is what is seen there.
        points[mount.path] = Json{{"device", mount.device},
                                  {"filesystem", mount.filesystem},
                                  {"options", mount.options},
                                  {"size_bytes", space.size},
                                  {"available_bytes", space.available},
                                  {"used_bytes", used},
                                  {"capacity", capacity},
                                  {"size", human_bytes(space.size)},
                                  {"available", human_bytes(space.available)},
                                  {"used", human_bytes(used)}};
    }
    return points.empty() ? Json::object() : Json{{"mountpoints", std::move(points)}};
}

}  // namespace

std::vector<Mount> mounts_of(std::string_view text) {
    std::vector<Mount> mounts;
    for (const std::string& line : split(text, '\n')) {
        const std::vector<std::string> fields = split(line, ' ');
        if (fields.size() < 4) continue;
        Mount mount{unescaped_field(fields[0]), unescaped_field(fields[1]), unescaped_field(fields[2]), {}};
        for (const std::string& option : split(unescaped_field(fields[3]), ','))
            mount.options.emplace_back(trim(option));
        const bool of_kernel = mount.path.starts_with("/proc") || mount.path.starts_with("/sys");
        if ((of_kernel && mount.filesystem != "tmpfs") || mount.filesystem == "autofs") continue;
        mounts.push_back(std::move(mount));
    }
    return mounts;
}

std::vector<Mount> mounts_on(const FactHost& host) {
    std::vector<Mount> mounts = mounts_of(host.read("/proc/self/mounts").value_or(""));
    for (Mount& mount : mounts) {
        if (mount.device == "/dev/root") mount.device = root_device(host);
    }
    return mounts;
}

const FactGroup& mount_facts() {
    static const FactGroup group{{"mountpoints"}, find_mountpoints};
    return group;
}

}  // namespace volley::agent
