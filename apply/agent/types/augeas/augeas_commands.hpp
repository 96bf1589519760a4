#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

/// An argument of a command, and how Augeas reads it.
struct AugeasArgument {
    enum class Kind : std::uint8_t { Path, Text, Comparator, Number, Rest };
    Kind kind = Kind::Text;
    std::string text;
};

/// "set /files/etc/hosts/1/ipaddr 127.0.0.1", in its parts.
struct AugeasCommand {
    std::string name;
    std::vector<AugeasArgument> arguments;

    const std::string& at(std::size_t number) const { return arguments.at(number).text; }
    /// As Ruby shows the arguments: ["/files/x", "y"].
    std::string inspected() const;
};

/// Reads commands as augeas_core does: one a line, paths below `context` unless they begin with / or $, texts
/// in quotes or one word. What comes after the arguments of a command is left out. Throws ApplyError in its
/// words.
std::vector<AugeasCommand> augeas_commands(const std::vector<std::string>& lines, std::string context);

/// The texts of "['a', \"b\"]"; nullopt when it is no such list.
std::optional<std::vector<std::string>> augeas_list(std::string_view text);

}  // namespace volley::agent
