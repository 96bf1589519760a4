#include "apply/agent/machine/os_release.hpp"

#include <array>
#include <cstdlib>
#include <utility>

#include "apply/agent/machine/files.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 29> families = {{
    {"debian", "debian"},     {"ubuntu", "debian"},      {"linuxmint", "debian"},
    {"raspbian", "debian"},   {"devuan", "debian"},      {"kali", "debian"},
    {"pop", "debian"},        {"neon", "debian"},        {"rhel", "redhat"},
    {"centos", "redhat"},     {"fedora", "redhat"},      {"rocky", "redhat"},
    {"almalinux", "redhat"},  {"ol", "redhat"},          {"amzn", "redhat"},
    {"scientific", "redhat"}, {"virtuozzo", "redhat"},   {"cloudlinux", "redhat"},
    {"sles", "suse"},         {"sled", "suse"},          {"suse", "suse"},
    {"opensuse", "suse"},     {"opensuse-leap", "suse"}, {"opensuse-tumbleweed", "suse"},
    {"arch", "arch"},         {"archarm", "arch"},       {"manjaro", "arch"},
    {"alpine", "alpine"},     {"gentoo", "gentoo"},
}};

std::string family_of(std::string_view id) {
    for (const auto& [known, family] : families) {
        if (known == id) return std::string(family);
    }
    return {};
}

}  // namespace

OsRelease parse_os_release(std::string_view text) {
    OsRelease release;
    std::string like;
    for (const std::string& line : split(text, '\n')) {
        const auto equal = line.find('=');
        if (equal == std::string::npos) continue;
        std::string_view value = trim(std::string_view(line).substr(equal + 1));
        if (value.size() > 1 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0])
            value = value.substr(1, value.size() - 2);
        const std::string_view key = trim(std::string_view(line).substr(0, equal));
        if (key == "ID") release.id = lower(value);
        if (key == "ID_LIKE") like = lower(value);
        if (key == "VERSION_ID") release.major = std::atoi(std::string(value).c_str());
    }
    if (release.id.empty()) release.id = "linux";
    release.family = family_of(release.id);
    for (const std::string& word : split(like, ' ')) {
        if (release.family.empty()) release.family = family_of(word);
    }
    if (release.family.empty()) release.family = release.id;
    return release;
}

const OsRelease& os_release() {
    static const OsRelease release = [] {
        for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
            if (file_exists(path)) return parse_os_release(read_whole(path, 1U << 16U));
        }
        return parse_os_release("");
    }();
    return release;
}

}  // namespace volley::agent
