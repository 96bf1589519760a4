#include "apply/agent/values/whole_number.hpp"

#include <charconv>
#include <string>

#include "support/text.hpp"

namespace volley::agent {

std::optional<std::int64_t> whole_number(std::string_view text) {
    text = trim(text);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const char letter = static_cast<char>(text[1] | 32);
        base = letter == 'x' ? 16 : letter == 'b' ? 2 : letter == 'd' ? 10 : 8;
        const bool is_letter = letter == 'x' || letter == 'b' || letter == 'd' || letter == 'o';
        text.remove_prefix(is_letter ? 2 : 1);
        if (!is_letter && text.starts_with('_')) text.remove_prefix(1);
    }
    if (text.starts_with('_') || text.ends_with('_') || text.find("__") != std::string_view::npos)
        return std::nullopt;
    std::string digits(text);
    std::erase(digits, '_');
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    const bool whole = !digits.empty() && digits[0] != '-' && fault == std::errc();
    if (!whole || end != digits.data() + digits.size()) return std::nullopt;
    return negative ? -number : number;
}

}  // namespace volley::agent
