#include "transports/shell/escalation.hpp"

#include <fmt/format.h>

#include "support/text.hpp"

namespace volley::transports {

namespace {

bool escalation_contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// sudo's own words on one line, to be shown after ours.
std::string escalation_words_of(std::string_view early_output) {
    std::vector<std::string> lines;
    for (const std::string& line : split(early_output, '\n')) {
        const std::string_view text = trim(line);
        if (!text.empty()) lines.push_back(scrub_utf8(text));
    }
    constexpr std::size_t most = 3;
    if (lines.size() > most) lines.erase(lines.begin(), lines.end() - most);
    return join(lines, " ");
}

std::string escalation_explained(std::string message, std::string_view early_output) {
    const std::string words = escalation_words_of(early_output);
    return words.empty() ? message : message + ": " + words;
}

constexpr std::string_view sudo_with_prompt =
    "IFS= read -r _vp; _vp=\"[[$_vp prompt $_vp]]\"; _vs=$1; _vu=$2; shift 2; "
    "if [ -u \"$(command -v \"$_vs\")\" ]; then SUDO_PROMPT=$_vp; export SUDO_PROMPT; "
    "exec \"$_vs\" -S -H -u \"$_vu\" \"$@\"; fi; exec \"$_vs\" -S -H -u \"$_vu\" -p \"$_vp\" \"$@\"";

std::string program_name(const Escalation& escalation) {
    return escalation.run_as_command.empty() ? escalation.sudo : escalation.run_as_command.front();
}

}  // namespace

bool asks_for_prompt_id(const Escalation* escalation) noexcept {
    return escalation != nullptr && escalation->run_as_command.empty();
}

std::string bootstrap_line(const Marker& bootstrap, const Escalation* escalation, bool tty, bool sh) {
    // Members of the group "tty" may write on a terminal, and would be taken for sudo.
    const std::string close_terminal = tty ? "chmod go-w \"$(tty)\" 2>/dev/null; " : "";
    std::string program = escalation == nullptr ? close_terminal : "";
    if (tty) program += "_vt=$(stty -g) && stty raw -echo; ";
    // The token in two pieces: sudo quotes the whole line when it refuses it, which is not a message of ours.
    if (tty || escalation != nullptr)
        program += "echo \"" + bootstrap.begin.substr(0, 1) + "\"\"" + bootstrap.begin.substr(1) + "ready" +
                   bootstrap.end + "\" >&2; ";
    program += "IFS= read -r _vs && eval \"$_vs\"";
    if (escalation == nullptr && sh) return program;
    const std::string shell = "sh -c '" + program + "'";
    if (escalation == nullptr) return "exec " + shell;
    std::vector<std::string> words = escalation->run_as_command;
    std::string before = close_terminal + "exec \"$@\"";
    if (words.empty()) {
        // The prompt is a message of ours, so that it is known in every language. sudo itself, which is
        // setuid, takes it from the environment, where nobody else sees it; programs around it may only know
        // the option.
        before = close_terminal + std::string(sudo_with_prompt);
        words = {escalation->sudo, escalation->run_as};
    } else {
        words.push_back(escalation->run_as);
        if (!tty) return "exec " + shell_join(words) + " " + shell;
    }
    return "exec sh -c '" + before + "' sh " + shell_join(words) + " " + shell;
}

TransportError no_password_error(const Escalation& escalation) {
    return escalate_error(
        fmt::format("Sudo password for user {} was not provided for {}; provide it with --sudo-password, "
                    "--sudo-password-prompt or the option sudo-password",
                    escalation.login, escalation.target),
        "NO_PASSWORD");
}

TransportError bad_password_error(const Escalation& escalation) {
    return escalate_error(
        fmt::format("Sudo password for user {} not recognized on {}", escalation.login, escalation.target),
        "BAD_PASSWORD");
}

TransportError not_escalated_error(const Escalation& escalation, std::string_view early_output, int code) {
    const std::string program = program_name(escalation);
    if (escalation_contains(early_output, "try again") ||
        escalation_contains(early_output, "incorrect password"))
        return bad_password_error(escalation);
    if (escalation_contains(early_output, "must have a tty") ||
        escalation_contains(early_output, "terminal is required")) {
        return escalate_error(
            escalation_explained(
                fmt::format("{} on {} runs only with a terminal (requiretty); set the option "
                            "'tty: true' for this target",
                            program, escalation.target),
                early_output),
            "SUDO_DENIED");
    }
    if (escalation_contains(early_output, "not in the sudoers") ||
        escalation_contains(early_output, "not allowed to") ||
        escalation_contains(early_output, "may not run")) {
        return escalate_error(escalation_explained(fmt::format("User {} does not have sudo permission on {}",
                                                               escalation.login, escalation.target),
                                                   early_output),
                              "SUDO_DENIED");
    }
    if (code == 127 || escalation_contains(early_output, "not found")) {
        return escalate_error(escalation_explained(fmt::format("Cannot run as {} on {}: {} was not found",
                                                               escalation.run_as, escalation.target, program),
                                                   early_output),
                              "SUDO_ERROR");
    }
    return escalate_error(
        escalation_explained(fmt::format("Cannot run as {} on {}: {} exited with code {}", escalation.run_as,
                                         escalation.target, program, code),
                             early_output),
        "SUDO_ERROR");
}

TransportError escalation_timeout_error(const Escalation& escalation, std::string_view early_output,
                                        long seconds) {
    return escalate_error(
        escalation_explained(
            fmt::format("Cannot run as {} on {}: {} did not finish within {} seconds", escalation.run_as,
                        escalation.target, program_name(escalation), seconds),
            early_output),
        "SUDO_ERROR");
}

}  // namespace volley::transports
