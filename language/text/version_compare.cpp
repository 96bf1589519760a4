#include "language/text/version_compare.hpp"

#include <string_view>
#include <vector>

#include "language/syntax/lexer/characters.hpp"
#include "language/text/characters_case.hpp"

namespace volley {
namespace {

std::vector<std::string> parts_of(std::string_view version) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < version.size();) {
        std::size_t end = at + 1;
        const char c = version[at];
        if (c != '-' && c != '.') {
            const bool number = is_digit(c);
            while (end < version.size() && version[end] != '-' && version[end] != '.' &&
                   is_digit(version[end]) == number)
                ++end;
        }
        parts.emplace_back(version.substr(at, end - at));
        at = end;
    }
    return parts;
}

std::string without_trailing_zeroes(const std::string& version) {
    const std::size_t dash = version.find('-');
    std::string head = version.substr(0, dash);
    head.erase(head.find_last_not_of(".0") + 1);
    return dash == std::string::npos ? head : head + version.substr(dash);
}

int version_compare_order(const std::string& a, const std::string& b) { return a < b ? -1 : a > b ? 1 : 0; }

int compare_numbers(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;  // neither begins with 0
    return version_compare_order(a, b);
}

}  // namespace

int version_compare(std::string a, std::string b, bool ignore_trailing_zeroes) {
    if (ignore_trailing_zeroes) {
        a = without_trailing_zeroes(a);
        b = without_trailing_zeroes(b);
    }
    const auto left = parts_of(a);
    const auto right = parts_of(b);
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
        const std::string& x = left[i];
        const std::string& y = right[i];
        if (x == y) continue;
        for (const std::string_view mark : {"-", "."}) {
            if (x == mark) return -1;
            if (y == mark) return 1;
        }
        const bool numbers = is_digit(x[0]) && is_digit(y[0]);
        if (numbers && x[0] != '0' && y[0] != '0') return compare_numbers(x, y);
        return version_compare_order(to_upper(x), to_upper(y));
    }
    return version_compare_order(a, b);
}

}  // namespace volley
