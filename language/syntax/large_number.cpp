#include "language/syntax/large_number.hpp"

#include <vector>

namespace volley::ast {

std::string digits_in_radix(const Integer& node, unsigned radix) {
    const std::string_view written = node.radix == 16 ? node.digits.substr(2) : node.digits;
    std::vector<unsigned> result{0};  // least significant first
    for (const char c : written) {
        auto carry = static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        for (unsigned& digit : result) {
            const unsigned value = digit * static_cast<unsigned>(node.radix) + carry;
            digit = value % radix;
            carry = value / radix;
        }
        for (; carry > 0; carry /= radix) result.push_back(carry % radix);
    }
    std::string text;
    for (auto digit = result.rbegin(); digit != result.rend(); ++digit) text += "0123456789abcdef"[*digit];
    return text;
}

}  // namespace volley::ast
