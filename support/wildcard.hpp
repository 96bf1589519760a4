#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley {

/// What a pattern may hold besides '*' (any text, '/' too) and '?' (one character).
struct WildcardRules {
    bool any_case = false;  ///< letters of ASCII match in either case
    bool classes = true;    ///< [a-z], [^a-z], [!a-z]; a backslash before what is meant literally
    bool hidden = true;     ///< no wildcard matches a dot at the start of the text, as in Ruby's File.fnmatch
    bool utf8 = true;       ///< a character is one of UTF-8, else a byte
};

/// Whether a pattern without alternatives matches the whole text. Linear apart from restarts at the last
/// star. A class without its end matches nothing.
bool wildcard_match(std::string_view pattern, std::string_view text, const WildcardRules& rules) noexcept;

/// More patterns than this are not made of one.
constexpr std::size_t most_wildcard_alternatives = 10'000;

/// "x{a,b}" written out: "xa", "xb", in that order; braces may stand in each other, those that have no end
/// are literal. nullopt when it would be more than most_wildcard_alternatives.
std::optional<std::vector<std::string>> wildcard_alternatives(std::string_view pattern);

/// Whether one of the pattern's alternatives matches; false when they are too many.
bool wildcard_match_any(std::string_view pattern, std::string_view text, const WildcardRules& rules);

/// Whether a name has characters of wildcards.
bool is_wildcard(std::string_view text) noexcept;

}  // namespace volley
