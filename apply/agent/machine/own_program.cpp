#include "apply/agent/machine/own_program.hpp"

#include <unistd.h>

#include <climits>

namespace volley::agent {
namespace {

std::string line_of(const FileStamp& stamp) {
    return std::to_string(stamp.device) + ":" + std::to_string(stamp.inode) + ":" +
           std::to_string(stamp.touched.tv_sec) + ":" + std::to_string(stamp.size);
}

}  // namespace

std::string own_program() {
    char path[PATH_MAX];
    const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
    return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string();
}

std::string program_stamp(const FileStamp& folder, const FileStamp& program) {
    for (const FileStamp* one : {&folder, &program}) {
        if (!one->exists() || !one->settled) return {};
    }
    return line_of(folder) + "\n" + line_of(program);
}

}  // namespace volley::agent
