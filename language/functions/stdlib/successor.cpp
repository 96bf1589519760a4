#include "language/functions/stdlib/successor.hpp"

#include "language/syntax/lexer/characters.hpp"

namespace volley::stdlib {
namespace {

bool is_counted(char c) { return is_digit(c) || is_lower(c) || is_upper(c); }

/// Moves one character on; true when it went back to its first value and the next place counts too.
bool carries(char& c) {
    if (c == '9' || c == 'z' || c == 'Z') {
        c = c == '9' ? '0' : c == 'z' ? 'a' : 'A';
        return true;
    }
    ++c;
    return false;
}

}  // namespace

std::string successor(std::string text) {
    std::size_t place = text.size();
    while (place > 0 && !is_counted(text[place - 1])) --place;
    if (place == 0) {  // no letter and no digit: the last character counts by itself
        if (!text.empty()) ++text.back();
        return text;
    }
    while (true) {
        if (!carries(text[place - 1])) return text;
        std::size_t next = place - 1;
        while (next > 0 && !is_counted(text[next - 1])) --next;
        // Compatibility: signs between two counted places are passed over, those at the start are not.
        if (next == 0) break;
        place = next;
    }
    const char first = text[place - 1];
    text.insert(place - 1, 1, first == '0' ? '1' : first);
    return text;
}

}  // namespace volley::stdlib
