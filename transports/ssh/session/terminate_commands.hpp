#pragma once

#include <string_view>

namespace volley::transports::ssh {

/// A command line that ends (TERM) this session's other commands: the process groups of the other children of
/// the server process that serves it. For cancelled commands: libssh2 before 1.11 cannot signal them, and
/// OpenSSH refuses signals for root.
///
/// "exec" leaves that server process our parent whatever the login shell is. Should it be gone already, we
/// are a child of init (or of a supervisor, or of the sshd that is process 1 of a container), whose other
/// children are the whole system: so nothing happens unless the parent is an SSH server and not process 1.
inline constexpr std::string_view terminate_commands_line =
    "exec /bin/sh -c '"
    "[ \"$PPID\" -gt 1 ] || exit 0; "
    "case $(ps -o comm= -p \"$PPID\") in sshd|sshd-session|dropbear) ;; *) exit 0 ;; esac; "
    "ps -A -o pid= -o ppid= | while read -r pid parent; do "
    "if [ \"$parent\" = \"$PPID\" ] && [ \"$pid\" != $$ ] && [ \"$pid\" -gt 1 ]; then kill -s TERM -- "
    "\"-$pid\"; fi; "
    "done' >/dev/null 2>&1 </dev/null";

}  // namespace volley::transports::ssh
