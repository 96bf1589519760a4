#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transports/errors.hpp"
#include "transports/shell/program.hpp"

namespace volley::transports {

/// How a run becomes another user (run-as, sudo-executable, run-as-command; SH-005 to SH-014), and its
/// errors.
struct Escalation {
    Escalation() = default;
    std::string run_as;
    std::string login;                        ///< who we are on the target
    std::string target;                       ///< its safe name, for messages
    std::string sudo = "sudo";                ///< or `sudo-executable`
    std::vector<std::string> run_as_command;  ///< replaces sudo when not empty (SH-008)
    std::optional<std::string> password;      ///< sensitive
};

/// The line for the target's login shell that starts a shell which takes its program from standard input.
/// Every login shell reads it alike: no backslash, '!', newline or quote inside the quotes. It carries no
/// secret, for everybody on the target sees it: `bootstrap` is known to all. With `escalation` or `tty` that
/// shell first sends the message "ready" between its tokens, because before that standard input may still
/// belong to sudo or be echoed. For sudo the first line of standard input is to be the id of a further
/// marker, between whose tokens sudo then asks for the password, as the message "prompt".
/// `sh`: where a POSIX sh reads the line, it is that shell itself when nothing is escalated.
std::string bootstrap_line(const Marker& bootstrap, const Escalation* escalation, bool tty, bool sh);
/// True when the line wants that id.
bool asks_for_prompt_id(const Escalation* escalation) noexcept;

/// The password was asked for and there is none.
TransportError no_password_error(const Escalation& escalation);
/// sudo asked again.
TransportError bad_password_error(const Escalation& escalation);
/// No shell of the other user came up. `early_output`: what was printed meanwhile; `code`: how it ended.
TransportError not_escalated_error(const Escalation& escalation, std::string_view early_output, int code);
/// Neither the shell nor a known message arrived in time.
TransportError escalation_timeout_error(const Escalation& escalation, std::string_view early_output,
                                        long seconds);

}  // namespace volley::transports
