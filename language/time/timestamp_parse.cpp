#include <algorithm>

#include "language/errors.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/time/calendar.hpp"
#include "language/time/time_text.hpp"

namespace volley {
namespace {

constexpr std::int64_t timestamp_parse_second = 1'000'000'000;
constexpr std::size_t timestamp_any_width = 18;  // digits of a number that surely fits

/// Reads a time as Ruby's strptime does. What sets no date or time of day (weekdays, week numbers, days of
/// the year, seconds since 1970) is read and left out, as in Puppet.
class TimestampReader {
public:
    explicit TimestampReader(std::string_view text) : text_(text) {}

    std::optional<ParsedTimestamp> run(std::string_view format) {
        if (!match(format) || at_ != text_.size()) return std::nullopt;
        if (!year_) throw EvalError("", "The format '" + std::string(format) + "' has no year");
        if (hour_ == 24 && minute_ > 0) throw EvalError("", "min out of range");
        if (hour_ == 24 && second_ > 0) throw EvalError("", "sec out of range");
        const std::int64_t year = *year_ + century_.value_or(0) * 100;
        if (year < 1678 || year > 2261) {
            throw EvalError("", "The time '" + std::string(text_) +
                                    "' is outside of the years 1678 to 2261 that a Timestamp can hold");
        }
        if (afternoon_) hour_ = hour_ % 12 + (*afternoon_ ? 12 : 0);
        // Compatibility: 31 February is 2 or 3 March.
        const std::int64_t days = calendar::days_from(year, static_cast<unsigned>(month_), 1) + day_ - 1;
        const std::int64_t seconds = days * 86400 + hour_ * 3600 + minute_ * 60 + second_;
        return ParsedTimestamp{seconds * timestamp_parse_second + fraction_, zone_};
    }

private:
    bool number(std::int64_t& out, std::size_t width, std::int64_t low, std::int64_t high) {
        const std::size_t begin = at_;
        std::int64_t value = 0;
        while (at_ < text_.size() && is_digit(text_[at_]) && at_ - begin < width)
            value = value * 10 + (text_[at_++] - '0');
        out = value;
        return at_ > begin && value >= low && value <= high;
    }

    /// Two digits, or a space and one.
    bool padded_number(std::int64_t& out, std::int64_t low, std::int64_t high) {
        const bool space = at_ < text_.size() && text_[at_] == ' ';
        if (space) ++at_;
        return number(out, space ? 1 : 2, low, high);
    }

    bool ignored(std::size_t width, std::int64_t low, std::int64_t high) {
        std::int64_t nothing = 0;
        return number(nothing, width, low, high);
    }

    bool sign() {
        if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) return text_[at_++] == '-';
        return false;
    }

    bool year(bool number_follows) {
        const bool negative = sign();
        std::int64_t value = 0;
        if (!number(value, number_follows ? 4 : timestamp_any_width, 0, INT64_MAX)) return false;
        year_ = negative ? -value : value;
        return true;
    }

    bool short_year() {
        std::int64_t value = 0;
        if (!number(value, 2, 0, 99)) return false;
        year_ = value;
        if (!century_) century_ = value < 69 ? 20 : 19;
        return true;
    }

    bool century(bool number_follows) {
        const bool negative = sign();
        std::int64_t value = 0;
        if (!number(value, number_follows ? 2 : 6, 0, INT64_MAX)) return false;
        century_ = negative ? -value : value;
        return true;
    }

    bool fraction(std::size_t width) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_digit(text_[at_]) && at_ - begin < width) ++at_;
        std::string digits(text_.substr(begin, std::min<std::size_t>(at_ - begin, 9)));
        digits.resize(9, '0');
        fraction_ = std::stoll(digits);
        return at_ > begin;
    }

    bool half_of_day() {
        const auto at = [this](std::size_t i) {
            const char c = at_ + i < text_.size() ? text_[at_ + i] : '\0';
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        };
        const char first = at(0);
        if (first != 'a' && first != 'p') return false;
        const bool dotted = at(1) == '.' && at(2) == 'm' && at(3) == '.';
        if (!dotted && (at(1) != 'm' || is_word(at(2)))) return false;
        afternoon_ = first == 'p';
        at_ += dotted ? 4 : 2;
        return true;
    }

    bool zone() {
        const std::size_t length = zone_length(text_.substr(at_));
        zone_ = text_.substr(at_, length);
        at_ += length;
        return length > 0;
    }

    bool month_name() {
        const int month = calendar::take_name(text_, at_, calendar::months);
        month_ = month + 1;
        return month >= 0;
    }

    void skip_spaces() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }

    bool match(std::string_view format) {
        for (std::size_t f = 0; f < format.size();) {
            if (is_space(format[f])) {
                skip_spaces();
                ++f;
                continue;
            }
            std::size_t letter = f + 1;
            if (format[f] == '%' && letter < format.size()) {
                if (format[letter] == 'E' || format[letter] == 'O') ++letter;
                while (letter < format.size() && format[letter] == ':') ++letter;
            }
            if (format[f] == '%' && letter < format.size() && is_directive(format[letter])) {
                f = letter + 1;
                if (!directive(format[letter], begins_with_number(format.substr(f)))) return false;
            } else if (at_ >= text_.size() || text_[at_++] != format[f++]) {
                return false;
            }
        }
        return true;
    }

    static bool is_directive(char letter) {
        return std::string_view("AaBbhCcDdeFGgHkIljLNMmnQpPRrSsTtUWuVvwXxYyZz%+").find(letter) !=
               std::string_view::npos;
    }

    static bool begins_with_number(std::string_view format) {
        if (format.empty()) return false;
        if (is_digit(format[0])) return true;
        if (format[0] != '%' || format.size() < 2) return false;
        const std::size_t letter = (format[1] == 'E' || format[1] == 'O') && format.size() > 2 ? 2 : 1;
        return is_digit(format[letter]) ||
               std::string_view("CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy").find(format[letter]) !=
                   std::string_view::npos;
    }

    bool directive(char letter, bool number_follows) {
        switch (letter) {
            case 'Y':
                return year(number_follows);
            case 'y':
                return short_year();
            case 'C':
                return century(number_follows);
            case 'm':
                return number(month_, 2, 1, 12);
            case 'B':
            case 'b':
            case 'h':
                return month_name();
            case 'd':
            case 'e':
                return padded_number(day_, 1, 31);
            case 'H':
            case 'k':
                return padded_number(hour_, 0, 24);
            case 'I':
            case 'l':
                return padded_number(hour_, 1, 12);
            case 'M':
                return number(minute_, 2, 0, 59);
            case 'S':
                return number(second_, 2, 0, 60);
            case 'L':
                return fraction(number_follows ? 3 : timestamp_any_width);
            case 'N':
                return fraction(number_follows ? 9 : timestamp_any_width);
            case 'p':
            case 'P':
                return half_of_day();
            case 'z':
            case 'Z':
                return zone();
            default:
                return left_out(letter, number_follows) || composite(letter);
        }
    }

    bool left_out(char letter, bool number_follows) {
        switch (letter) {
            case 'A':
            case 'a':
                return calendar::take_name(text_, at_, calendar::weekdays) >= 0;
            case 'j':
                return ignored(3, 1, 366);
            case 'G':
                return sign(), ignored(number_follows ? 4 : timestamp_any_width, 0, INT64_MAX);
            case 'g':
                return ignored(2, 0, 99);
            case 'U':
            case 'W':
                return ignored(2, 0, 53);
            case 'V':
                return ignored(2, 1, 53);
            case 'u':
                return ignored(1, 1, 7);
            case 'w':
                return ignored(1, 0, 6);
            case 's':
            case 'Q':
                return sign(), ignored(timestamp_any_width, 0, INT64_MAX);
            default:
                return false;
        }
    }

    bool composite(char letter) {
        switch (letter) {
            case 'F':
                return match("%Y-%m-%d");
            case 'T':
            case 'X':
                return match("%H:%M:%S");
            case 'R':
                return match("%H:%M");
            case 'D':
            case 'x':
                return match("%m/%d/%y");
            case 'c':
                return match("%a %b %e %H:%M:%S %Y");
            case 'r':
                return match("%I:%M:%S %p");
            case 'v':
                return match("%e-%b-%Y");
            case '+':
                return match("%a %b %e %H:%M:%S %Z %Y");
            case 'n':
            case 't':
                return skip_spaces(), true;
            case '%':
                return at_ < text_.size() && text_[at_++] == '%';
            default:
                return false;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<std::int64_t> year_;
    std::optional<std::int64_t> century_;
    std::int64_t month_ = 1;
    std::int64_t day_ = 1;
    std::int64_t hour_ = 0;
    std::int64_t minute_ = 0;
    std::int64_t second_ = 0;
    std::int64_t fraction_ = 0;
    std::optional<bool> afternoon_;
    std::string zone_;
};

}  // namespace

std::optional<ParsedTimestamp> parse_timestamp(std::string_view text, std::string_view format) {
    return TimestampReader(text).run(format);
}

}  // namespace volley
