#include "apply/agent/machine/modes.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::string_view class_letters = "ugo";

bool is_part(std::string_view part) {
    const std::size_t who = std::min(part.find_first_not_of("ugoa"), part.size());
    part.remove_prefix(who);
    if (part.empty() || std::string_view("-=+").find(part[0]) == std::string_view::npos) return false;
    return part.find_first_not_of("-=+rstwxXugo") == std::string_view::npos;
}

/// The bits of each class, and setuid, setgid and sticky beside them.
struct Bits {
    std::array<unsigned, 3> of{};  // user, group, others
    unsigned special = 0;

    explicit Bits(unsigned mode)
        : of{(mode >> 6U) & 7U, (mode >> 3U) & 7U, mode & 7U}, special((mode >> 9U) & 7U) {}
    unsigned mode() const { return special << 9U | of[0] << 6U | of[1] << 3U | of[2]; }
};

unsigned combine(char action, unsigned value, unsigned bits) {
    if (action == '-') return value & ~bits;
    if (action == '!') throw ApplyError("Missing operation (-, =, or +)");
    return value | bits;
}

unsigned special_bit(char letter, std::size_t who) {
    if (letter == 't') return 1;
    static constexpr std::array<unsigned, 3> set_id = {4, 2, 1};
    return set_id[who];
}

void change_class(std::string_view change, std::size_t who, const Bits& before, bool executable, Bits& bits) {
    unsigned value = before.of[who];
    char action = '!';
    for (const char letter : change) {
        switch (letter) {
            case '-':
            case '+':
            case '=':
                action = letter;
                if (letter == '=') value = 0;
                break;
            case 'u':
                value = combine(action, value, before.of[0]);
                break;
            case 'g':
                value = combine(action, value, before.of[1]);
                break;
            case 'o':
                value = combine(action, value, before.of[2]);
                break;
            case 'r':
                value = combine(action, value, 4);
                break;
            case 'w':
                value = combine(action, value, 2);
                break;
            case 'x':
                value = combine(action, value, 1);
                break;
            case 'X':
                if (action != '+') throw ApplyError("X only works with the '+' operator");
                if (executable) value |= 1U;
                break;
            case 's':
            case 't':
                bits.special = combine(action, bits.special, special_bit(letter, who));
                break;
            default:
                throw ApplyError("Unknown operation");
        }
    }
    bits.of[who] = value;
}

}  // namespace

bool is_octal_mode(std::string_view text) {
    if (text.size() == 5 && text[0] == '0') text.remove_prefix(1);
    return !text.empty() && text.size() <= 4 && text.find_first_not_of("01234567") == std::string_view::npos;
}

bool is_mode(std::string_view text) {
    if (is_octal_mode(text)) return true;
    for (const std::string& part : split(text, ',')) {
        if (!is_part(part)) return false;
    }
    return true;
}

std::string fault_of_mode(const Value& value) {
    if (!value.is_text())
        return "The file mode specification must be a string, not '" + std::string(ruby_class(value)) + "'";
    if (!is_mode(value.text())) return "The file mode specification is invalid: " + value.inspected();
    return {};
}

std::string octal(unsigned mode) {
    std::string digits;
    do {
        digits.insert(digits.begin(), static_cast<char>('0' + (mode & 7U)));
        mode >>= 3U;
    } while (mode != 0);
    return digits;
}

std::string normal_mode(std::string_view text) {
    if (!is_octal_mode(text)) return std::string(text);
    return octal(static_cast<unsigned>(std::strtoul(std::string(text).c_str(), nullptr, 8)));
}

std::string shown_mode(std::string_view text) {
    std::string shown(text);
    if (is_octal_mode(text)) shown.insert(0, shown.size() < 4 ? 4 - shown.size() : 0, '0');
    return shown;
}

unsigned changed_mode(std::string_view change, unsigned current, bool directory) {
    if (change.empty()) throw ApplyError("An empty mode string is illegal");
    if (change.find_first_not_of("01234567") == std::string_view::npos)
        return static_cast<unsigned>(std::strtoul(std::string(change).c_str(), nullptr, 8));
    if (change.find_first_not_of("0123456789") == std::string_view::npos)
        throw ApplyError("Numeric modes must be in octal, not decimal!");
    const bool executable = directory || (current & 0111U) != 0;
    Bits bits(current);
    for (const std::string& part : split(change, ',')) {
        const std::size_t start = std::min(part.find_first_not_of("ugoa"), part.size());
        const std::string who = part.substr(0, start);
        const Bits before = bits;
        try {
            if (start == part.size() || std::string_view("-+=").find(part[start]) == std::string_view::npos)
                throw ApplyError("Missing action");
            for (std::size_t i = 0; i < class_letters.size(); ++i) {
                const bool meant = who.empty() || who.find('a') != std::string::npos ||
                                   who.find(class_letters[i]) != std::string::npos;
                if (meant) change_class(std::string_view(part).substr(start), i, before, executable, bits);
            }
        } catch (const ApplyError& error) {
            const std::string where = part == change ? "" : " at " + Value(part).inspected();
            throw ApplyError(error.what() + where + " in symbolic mode " +
                             Value(std::string(change)).inspected());
        }
    }
    return bits.mode();
}

}  // namespace volley::agent
