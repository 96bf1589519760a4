#include "transports/shell/program.hpp"

#include <algorithm>

#include "support/text.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

Marker::Marker() {
    id = random_uuid();
    begin = "[[" + id + " ";
    end = " " + id + "]]";
}

std::string program_word(std::string_view text) {
    std::string word = "'";
    for (const char c : text) {
        switch (c) {
            case '\0':
                throw connect_error("A command, argument or variable for a shell cannot contain a NUL byte",
                                    "EXEC_ERROR");
            case '\'':
                word += "'\\''";
                break;
            case '\n':
                word += "'\"$_vn\"'";
                break;
            default:
                word += c;
        }
    }
    return word + "'";
}

bool is_variable_name(std::string_view name) noexcept {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
}

Program::Program(const Marker& marker) : begin_(marker.begin), end_(marker.end) {
    add("exec 3>&2 2>/dev/null");
    // Without a handler the shell would die of these and leave its directory on the target. A shell runs a
    // handler when its current command has ended; children get the default back.
    add("trap 'exit 129' HUP");
    add("trap 'exit 130' INT");
    add("trap 'exit 143' TERM");
    add("trap : PIPE");
    add("_vy() { " + print_command("1") + "; }");
    // The message of `cat` about a full disk does not name it: the folder is added.
    add("_vf() { _ve=$2; case $1$2 in WRITE_ERROR*\"$_vd\"*) ;; WRITE*) _ve=\"$2 (in $_vd)\" ;; esac; " +
        message("error", "\"$1 $_ve\"") + "; exit 1; }");
}

void Program::add(std::string_view command) {
    text_ += command;
    text_ += "; ";
}

void Program::set(std::string_view variable, std::string_view value) {
    add(std::string(variable) + "=" + program_word(value));
}

void Program::require(std::string_view command, std::string_view code) {
    // The shell executes a simple command in the substitution's own process.
    add("_ve=$(2>&1 " + std::string(command) + ") || _vf " + std::string(code) + " \"$_ve\"");
}

void Program::require_pipeline(std::string_view command, std::string_view code) {
    add("_ve=$( { " + std::string(command) + "; } 2>&1 ) || _vf " + std::string(code) + " \"$_ve\"");
}

std::string Program::text() const {
    const bool has_newlines = text_.find("$_vn") != std::string::npos;
    if (!has_newlines) return text_ + "\n";
    // The third character of every POSIX shell's IFS is a newline; printf takes a process of its own to say
    // one.
    return "case $IFS in ' \t'?) _vn=${IFS#??} ;; *) _vn=$(printf '\\n.'); _vn=${_vn%.} ;; esac; " + text_ +
           "\n";
}

std::string print_command(std::string_view variable) {
    const std::string word = "\"$" + std::string(variable) + "\"";
    return "if [ \"${KSH_VERSION+k}\" ]; then print -rn -- " + word + "; else printf %s " + word + "; fi";
}

std::string Program::message(std::string_view name, std::string_view text, int descriptor) const {
    return "_vy '" + begin_ + std::string(name) + " '" + std::string(text) + "'" + end_ + "' >&" +
           std::to_string(descriptor);
}

std::string Program::start() const {
    const std::string print = "_vy '" + begin_ + "start '$$'" + end_ + "'";
    return print + "; " + print + " >&2";
}

void Program::finish(std::string_view word) {
    add(message("done"));
    add("exit " + std::string(word));
}

EnvironmentCommands environment_commands(
    const std::vector<std::pair<std::string, std::string>>& environment) {
    EnvironmentCommands commands;
    for (const auto& [name, value] : environment) {
        if (is_variable_name(name)) {
            commands.exports += "export " + name + "=" + program_word(value) + "; ";
        } else {
            commands.prefix += " " + program_word(name + "=" + value);
        }
    }
    if (!commands.prefix.empty()) commands.prefix = "env" + commands.prefix + " ";
    return commands;
}

}  // namespace volley::transports
