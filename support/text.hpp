#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volley {

/// True when `bytes` is well-formed UTF-8 (no overlong forms, no surrogates).
bool is_utf8(std::string_view bytes) noexcept;

/// Valid UTF-8 is returned as it is; each byte that is not becomes \xNN with upper-case hex digits and no
/// zero padding (compatibility: RES-019).
std::string scrub_utf8(std::string_view bytes);

/// The candidate that a person most likely meant, for "did you mean" hints; none when nothing is close
/// (more than a third of the characters differ).
std::optional<std::string> closest_match(std::string_view word, std::span<const std::string> candidates);

/// " Did you mean 'x'?" for a name that is not among the known ones; empty when none of them is close.
/// Differences of case count little; of names with "::" the last part may be all that was typed.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

/// `text` as one word of a POSIX shell command: unchanged when it is plain, else in single quotes.
/// An empty text becomes ''.
std::string shell_quote(std::string_view text);
/// The words quoted and joined by spaces.
std::string shell_join(std::span<const std::string> words);

/// What stands between the separators, empty parts too; one part when there is none. `separator` is not
/// empty.
std::vector<std::string> split(std::string_view text, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text) noexcept;
std::string lower(std::string_view text);

/// Standard base64 with padding.
std::string base64_encode(std::string_view bytes);
/// nullopt when the text is not base64 (white space is ignored).
std::optional<std::string> base64_decode(std::string_view text);

/// A random RFC 4122 version 4 UUID from the kernel's random source.
std::string random_uuid();

}  // namespace volley
