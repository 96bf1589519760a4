#pragma once

#include <string>
#include <string_view>

namespace volley::agent {

/// What a system says of itself in /etc/os-release.
struct OsRelease {
    std::string id;      ///< "debian", "fedora", "opensuse-leap"; "linux" where nothing is said
    std::string family;  ///< debian, redhat, suse, arch, alpine, gentoo; else the id
    int major = 0;       ///< of the version; 0 where there is none
};

/// Of the text of such a file.
OsRelease parse_os_release(std::string_view text);
/// Of this machine, read once.
const OsRelease& os_release();

}  // namespace volley::agent
