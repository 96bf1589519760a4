#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::cli {

/// `spaces` before every line, also empty ones; nothing after a last newline.
std::string indent(std::size_t spaces, std::string_view text);
/// Broken at white space so that lines hold at most `width` characters; longer words stay whole.
/// Every line ends with a newline.
std::string wrap(std::string_view text, std::size_t width = 80);
/// The first line, cut at a word to at most `width` characters and "...", when longer than that.
std::string truncate(std::string_view text, std::size_t width);
/// Two columns, lined up by characters; `left` spaces before the first column and `gap` between them.
std::string table(const std::vector<std::pair<std::string, std::string>>& rows, std::size_t left,
                  std::size_t gap);
/// "0.03 sec", "2.0 sec", "1 min, 5 sec", "2 hr, 3 min, 4 sec" (OUT-011, OUT-012).
std::string duration_text(std::chrono::nanoseconds duration);
/// "1 target", "3 targets".
std::string target_count(std::size_t count);
/// Puppet's messages may name the same line twice in a row: "(file: a.pp, line: 2) (file: a.pp, line: 2,
/// column: 1)". The text with the more exact of the two.
std::string without_repeated_places(std::string text);
/// Nothing but white space and NUL.
bool is_blank(std::string_view text) noexcept;
/// Without one trailing white space character (OUT-003).
std::string_view without_trail(std::string_view text) noexcept;

}  // namespace volley::cli
