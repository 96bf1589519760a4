#pragma once

#include <string>
#include <string_view>

namespace volley::transports::winrm::smb {

/// Where a path of Windows is among the shares of its machine.
struct SharePath {
    std::string share;  ///< "C$"
    std::string path;   ///< below it, '/' between; empty: the share itself
};

/// "C:\x\y" is x/y in the share C$, "\\HOST\SHARE\x" is x in SHARE; '/' may stand for '\'. Throws
/// TransportError with this issue code for other paths (WRM-007).
SharePath share_path(std::string_view path, std::string_view issue_code);

/// A URL of libsmbclient's. `path` as in SharePath.
std::string share_url(std::string_view host, std::string_view share, std::string_view path);

}  // namespace volley::transports::winrm::smb
