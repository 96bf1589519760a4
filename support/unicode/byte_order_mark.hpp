#pragma once

#include <string_view>

namespace volley {

/// U+FEFF in UTF-8, which editors on Windows put first.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept {
    return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

}  // namespace volley
