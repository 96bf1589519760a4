#include "transports/winrm/smb/share_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "support/text.hpp"
#include "transports/errors.hpp"

namespace volley::transports::winrm::smb {
namespace {

/// The parts of a path; "." is none.
std::vector<std::string> parts_of(std::string_view path, std::string_view given,
                                  std::string_view issue_code) {
    std::vector<std::string> parts;
    for (std::string& part : split(path, '/')) {
        if (part.empty() || part == ".") continue;
        if (part == "..")
            throw file_error(fmt::format("'{}' has '..', which is not possible over SMB", given), issue_code);
        parts.push_back(std::move(part));
    }
    return parts;
}

std::string encoded(std::string_view text, std::string_view also_plain) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain =
            (byte < 0x80 && std::isalnum(byte) != 0) || also_plain.find(c) != std::string_view::npos;
        out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return out;
}

}  // namespace

SharePath share_path(std::string_view given, std::string_view issue_code) {
    std::string path(given);
    std::replace(path.begin(), path.end(), '\\', '/');
    const bool on_drive = path.size() >= 3 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 &&
                          path[1] == ':' && path[2] == '/';
    if (on_drive)
        return {std::string(1, path[0]) + "$", join(parts_of(path.substr(3), given, issue_code), "/")};
    if (path.starts_with("//")) {
        std::vector<std::string> parts = parts_of(path, given, issue_code);
        if (parts.size() >= 2) {
            const std::string share = parts[1];
            parts.erase(parts.begin(), parts.begin() + 2);
            return {share, join(parts, "/")};
        }
    }
    throw file_error(
        fmt::format("with file-protocol: smb a path has a drive or a share, as C:\\FOLDER\\FILE or "
                    "\\\\HOST\\SHARE\\FILE, which '{}' has not",
                    given),
        issue_code);
}

std::string share_url(std::string_view host, std::string_view share, std::string_view path) {
    return fmt::format("smb://{}/{}/{}", host, encoded(share, "-_.$"), encoded(path, "-_./"));
}

}  // namespace volley::transports::winrm::smb
