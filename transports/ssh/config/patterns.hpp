#pragma once

#include <cstdint>
#include <string_view>

namespace volley::transports::ssh {

/// ssh_config(5) PATTERNS: `*` is any text, `?` one byte. Case counts.
bool match_pattern(std::string_view text, std::string_view pattern) noexcept;

enum class ListMatch : std::uint8_t { No, Yes, Refused };

/// A list of patterns separated by commas; one that begins with `!` refuses what it matches, whatever the
/// others match.
ListMatch match_pattern_list(std::string_view text, std::string_view list) noexcept;

}  // namespace volley::transports::ssh
