#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace volley::transports::ssh {

/// False for a user or host name that a program could take for an option, or a shell for anything but a word.
/// The rules are those of OpenSSH's client for names on its command line. Both names end up there
/// (native-ssh), and in the shell commands of ssh_config (ProxyCommand, Match exec: %r, %h, %n).
bool is_safe_user(std::string_view user) noexcept;
bool is_safe_host(std::string_view host) noexcept;

/// Throws TransportError CONNECT_ERROR for `label` when one of them is not safe. To be called before anything
/// is done with the names.
void require_safe_names(std::string_view label, const std::optional<std::string>& user,
                        std::string_view host);

}  // namespace volley::transports::ssh
