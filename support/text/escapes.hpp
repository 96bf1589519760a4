#pragma once

#include <string>
#include <string_view>

/// Texts in which some characters stand after a backslash.
namespace volley {

/// The letter that stands for a control character after a backslash ('n' for a line feed) when it is one of
/// `letters`, which are of "abefnrtv"; else 0.
constexpr char escape_letter(char c, std::string_view letters) noexcept {
    constexpr std::string_view controls = "\a\b\x1b\f\n\r\t\v";
    constexpr std::string_view names = "abefnrtv";
    const std::size_t at = controls.find(c);
    if (at == std::string_view::npos || letters.find(names[at]) == std::string_view::npos) return 0;
    return names[at];
}

/// The text in quotes, with a backslash before each quote and each backslash in it: as git, Graphviz, fish
/// and Ruby's single quotes have it.
std::string backslash_quoted(std::string_view text, char quote);

/// What stands after the backslash for a character in JSON, when that is a single one; else 0.
constexpr char json_escape_letter(char c) noexcept {
    return c == '"' || c == '\\' ? c : escape_letter(c, "bfnrt");
}

/// Appends `text` as it stands between the quotes of a JSON string; all but ASCII is copied as it is.
void append_json_escaped(std::string& out, std::string_view text);

}  // namespace volley
