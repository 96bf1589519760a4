#include "transports/ssh/safe_names.hpp"

#include <fmt/format.h>

#include "support/unicode/printable.hpp"
#include "transports/ssh/ssh_errors.hpp"

namespace volley::transports::ssh {
namespace {

bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

constexpr std::string_view means_something_in_users = "'`\";&<>|(){}";
constexpr std::string_view means_something_in_hosts = "'`\"$\\;&<>|(){}, ";

}  // namespace

bool is_safe_user(std::string_view user) noexcept {
    if (user.starts_with('-') || user.ends_with('\\')) return false;
    for (std::size_t i = 0; i < user.size(); ++i) {
        if (is_control(user[i]) || means_something_in_users.find(user[i]) != std::string_view::npos)
            return false;
        if (user[i] == ' ' && user.substr(i + 1).starts_with('-')) return false;  // an option of its own
    }
    return true;
}

bool is_safe_host(std::string_view host) noexcept {
    if (host.starts_with('-')) return false;
    for (const char c : host) {
        if (is_control(c) || means_something_in_hosts.find(c) != std::string_view::npos) return false;
    }
    return true;
}

void require_safe_names(std::string_view label, const std::optional<std::string>& user,
                        std::string_view host) {
    if (user && !is_safe_user(*user)) {
        throw failed_to_connect(
            label, fmt::format("the user name '{}' is not allowed: it begins with a dash or contains "
                               "characters that are special to a shell",
                               printable(*user)));
    }
    if (!is_safe_host(host)) {
        throw failed_to_connect(
            label, fmt::format("the host name '{}' is not allowed: it begins with a dash or contains "
                               "characters that are special to a shell",
                               printable(host)));
    }
}

}  // namespace volley::transports::ssh
