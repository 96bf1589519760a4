#include <algorithm>
#include <array>
#include <cstdio>

#include "language/errors.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/time/calendar.hpp"
#include "language/time/time_text.hpp"

namespace volley {
namespace {

using calendar::Date;
using calendar::date_of;
using calendar::days_from;
using calendar::floor_div;

constexpr std::int64_t timestamp_text_second = 1'000'000'000;

/// What stands between "%" and its letter. As in Ruby, what this cannot be is shown as it stands.
struct Directive {
    char fill = 0;  // '0', ' ', 0 when not given
    bool left = false;
    bool upper = false;
    bool swap = false;
    int colons = 0;
    int width = 0;
    char letter = 0;
    bool modified = false;  // anything but the letter was there

    bool plain_width() const noexcept { return width > 0 && !left; }
};

constexpr int timestamp_widest = 20'000;

/// Reads after "%". False when the text there is no directive; `at` then stands after what is shown as it
/// is.
bool read_directive(std::string_view format, std::size_t& at, Directive& directive) {
    const std::size_t begin = at;
    for (; at < format.size(); ++at) {
        const char c = format[at];
        const bool flag = c == '-' || c == '_' || c == '^' || c == '#';
        if (flag && directive.width > 0) break;
        if (c == '-') {
            directive.left = true;
        } else if (c == '_') {
            directive.fill = ' ';
        } else if (c == '0' && directive.width == 0) {
            directive.fill = '0';
        } else if (c == '^') {
            directive.upper = true;
        } else if (c == '#') {
            directive.swap = true;
        } else if (is_digit(c)) {
            directive.width = std::min(directive.width * 10 + (c - '0'), timestamp_widest);
        } else if (c == ':') {
            const std::size_t letter = std::min(format.find_first_not_of(':', at), format.size());
            if (letter == format.size() || format[letter] != 'z') return ++at, false;
            directive.colons = static_cast<int>(letter - at);
            at = letter - 1;
        } else if (c == 'E' || c == 'O') {
            const std::string_view taken = c == 'E' ? "cCxXyY" : "deHkIlmMSuUVwWy";
            if (at + 1 >= format.size() || taken.find(format[at + 1]) == std::string_view::npos)
                return ++at, false;
        } else {
            break;
        }
    }
    if (at >= format.size()) throw EvalError("", "invalid format: " + std::string(format));
    directive.modified = at > begin;
    directive.letter = format[at++];
    return true;
}

std::string number_text(std::int64_t number, const Directive& directive, int width, char fill) {
    const char chosen = directive.fill ? directive.fill : fill;
    std::string digits = std::to_string(number < 0 ? -number : number);
    const int wanted = directive.left ? 1 : directive.width > 0 ? directive.width : width;
    const auto missing = static_cast<std::ptrdiff_t>(wanted) - static_cast<std::ptrdiff_t>(digits.size());
    if (missing > 0) digits.insert(0, static_cast<std::size_t>(missing), chosen);
    return (number < 0 ? "-" : "") + digits;
}

std::string fraction_text(std::int64_t nanoseconds, int digits) {
    std::string text = std::to_string(nanoseconds);
    text.insert(0, 9 - text.size(), '0');
    text.resize(static_cast<std::size_t>(digits), '0');
    return text;
}

void change_case(std::string& text, bool upper) {
    for (char& c : text) {
        if (upper ? is_lower(c) : c >= 'A' && c <= 'Z') c = static_cast<char>(upper ? c - 32 : c + 32);
    }
}

class Formatter {
public:
    Formatter(std::int64_t nanoseconds, int offset, std::string_view zone) : offset_(offset), zone_(zone) {
        seconds_ = floor_div(nanoseconds, timestamp_text_second);
        fraction_ = nanoseconds - seconds_ * timestamp_text_second;
        const std::int64_t local = seconds_ + offset;
        days_ = floor_div(local, 86400);
        of_day_ = local - days_ * 86400;
        date_ = date_of(days_);
    }

    std::string run(std::string_view format) const {
        std::string out;
        for (std::size_t at = 0; at < format.size();) {
            if (format[at] != '%') {
                out += format[at++];
                continue;
            }
            const std::size_t begin = at++;
            Directive directive;
            std::string text;
            if (!read_directive(format, at, directive)) {
                out += format.substr(begin, at - begin);
            } else if (date_part(directive, text) || time_part(directive, text)) {
                out += text;
            } else if (word(directive, text) || composite(directive, text)) {
                out += padded(std::move(text), directive);
            } else {
                out += format.substr(begin, at - begin);
            }
        }
        return out;
    }

private:
    bool date_part(const Directive& d, std::string& out) const {
        const auto weekday = static_cast<std::size_t>(((days_ + 4) % 7 + 7) % 7);
        const std::int64_t of_year = days_ - days_from(date_.year, 1, 1);
        switch (d.letter) {
            case 'Y':
                out = number_text(date_.year, d, 4, '0');
                break;
            case 'C':
                out = number_text(floor_div(date_.year, 100), d, 2, '0');
                break;
            case 'y':
                out = number_text(((date_.year % 100) + 100) % 100, d, 2, '0');
                break;
            case 'm':
                out = number_text(date_.month, d, 2, '0');
                break;
            case 'd':
                out = number_text(date_.day, d, 2, '0');
                break;
            case 'e':
                out = number_text(date_.day, d, 2, ' ');
                break;
            case 'j':
                out = number_text(of_year + 1, d, 3, '0');
                break;
            case 'u':
                out = number_text(weekday == 0 ? 7 : static_cast<std::int64_t>(weekday), d, 1, '0');
                break;
            case 'w':
                out = number_text(static_cast<std::int64_t>(weekday), d, 1, '0');
                break;
            case 'U':
                out = number_text((of_year + 7 - static_cast<std::int64_t>(weekday)) / 7, d, 2, '0');
                break;
            case 'W':
                out =
                    number_text((of_year + 7 - static_cast<std::int64_t>((weekday + 6) % 7)) / 7, d, 2, '0');
                break;
            case 'G':
                out = number_text(iso_week().first, d, 4, '0');
                break;
            case 'g':
                out = number_text(iso_week().first % 100, d, 2, '0');
                break;
            case 'V':
                out = number_text(iso_week().second, d, 2, '0');
                break;
            default:
                return false;
        }
        return true;
    }

    bool time_part(const Directive& d, std::string& out) const {
        const std::int64_t hour = of_day_ / 3600;
        const std::int64_t half = hour % 12 == 0 ? 12 : hour % 12;
        switch (d.letter) {
            case 'H':
                out = number_text(hour, d, 2, '0');
                break;
            case 'k':
                out = number_text(hour, d, 2, ' ');
                break;
            case 'I':
                out = number_text(half, d, 2, '0');
                break;
            case 'l':
                out = number_text(half, d, 2, ' ');
                break;
            case 'M':
                out = number_text(of_day_ / 60 % 60, d, 2, '0');
                break;
            case 'S':
                out = number_text(of_day_ % 60, d, 2, '0');
                break;
            case 'L':
                out = fraction_text(fraction_, d.width > 0 ? d.width : 3);
                break;
            case 'N':
                out = fraction_text(fraction_, d.width > 0 ? d.width : 9);
                break;
            case 'z':
                out = offset_text(d);
                break;
            case 's':
                out = number_text(seconds_, d, 1, '0');
                break;
            default:
                return false;
        }
        return true;
    }

    /// Names and signs. Width and case apply to them as they do to what several directives make together.
    bool word(const Directive& d, std::string& out) const {
        const auto weekday = static_cast<std::size_t>(((days_ + 4) % 7 + 7) % 7);
        switch (d.letter) {
            case 'B':
                out = calendar::months[date_.month - 1];
                break;
            case 'b':
            case 'h':
                out = calendar::months[date_.month - 1].substr(0, 3);
                break;
            case 'A':
                out = calendar::weekdays[weekday];
                break;
            case 'a':
                out = calendar::weekdays[weekday].substr(0, 3);
                break;
            case 'p':
                out = of_day_ < 43200 ? "AM" : "PM";
                if (d.swap) change_case(out, false);
                return true;
            case 'P':
                out = of_day_ < 43200 ? "AM" : "PM";
                if (!d.swap && !d.upper) change_case(out, false);
                return true;
            case 'Z':
                out = zone_;
                if (d.swap) change_case(out, false);
                return true;
            case 'n':
                out = "\n";
                return true;
            case 't':
                out = "\t";
                return true;
            case '%':
                out = "%";
                return true;
            default:
                return false;
        }
        if (d.swap) change_case(out, true);
        return true;
    }

    static std::string padded(std::string text, const Directive& d) {
        if (d.upper && !(d.letter == 'Z' && d.swap) && d.letter != 'p' && d.letter != 'P')
            change_case(text, true);
        const auto width = static_cast<std::size_t>(d.plain_width() ? d.width : 0);
        if (text.size() < width) text.insert(0, width - text.size(), d.fill == '0' ? '0' : ' ');
        return text;
    }

    bool composite(const Directive& d, std::string& out) const {
        switch (d.letter) {
            case 'c':
                out = run("%a %b %e %T %Y");
                break;
            case 'D':
            case 'x':
                out = run("%m/%d/%y");
                break;
            case 'F':
                out = run("%Y-%m-%d");
                break;
            case 'R':
                out = run("%H:%M");
                break;
            case 'r':
                out = run("%I:%M:%S %p");
                break;
            case 'T':
            case 'X':
                out = run("%H:%M:%S");
                break;
            case 'v':
                out = run("%e-%^b-%4Y");
                break;
            default:
                return false;
        }
        return true;
    }

    std::pair<std::int64_t, std::int64_t> iso_week() const {
        const std::int64_t weekday = ((days_ + 3) % 7 + 7) % 7;  // Monday is 0
        const std::int64_t thursday = days_ - weekday + 3;
        const Date date = date_of(thursday);
        return {date.year, (thursday - days_from(date.year, 1, 1)) / 7 + 1};
    }

    std::string offset_text(const Directive& d) const {
        const int magnitude = offset_ < 0 ? -offset_ : offset_;
        std::array<char, 16> text{};
        if (d.colons == 0) {
            std::snprintf(text.data(), text.size(), "%02d", magnitude / 60 % 60);
        } else if (d.colons == 2 || (d.colons == 3 && magnitude % 60 != 0)) {
            std::snprintf(text.data(), text.size(), ":%02d:%02d", magnitude / 60 % 60, magnitude % 60);
        } else if (d.colons != 3 || magnitude % 3600 != 0) {
            std::snprintf(text.data(), text.size(), ":%02d", magnitude / 60 % 60);
        }
        const std::string rest = text.data();
        const int space = d.width - static_cast<int>(rest.size()) - 1;
        const auto digits = static_cast<std::size_t>(std::max(space, 2));
        const bool negative = offset_ < 0 || (d.left && offset_ == 0 && zone_ == "UTC");
        std::string hours = std::to_string(magnitude / 3600);
        const std::string sign = negative ? "-" : "+";
        if (d.fill == ' ') {
            hours = sign + hours;
            if (hours.size() < digits + 1) hours.insert(0, digits + 1 - hours.size(), ' ');
            return hours + rest;
        }
        if (hours.size() < digits) hours.insert(0, digits - hours.size(), '0');
        return sign + hours + rest;
    }

    int offset_;
    std::string zone_;
    std::int64_t seconds_ = 0;
    std::int64_t fraction_ = 0;
    std::int64_t days_ = 0;
    std::int64_t of_day_ = 0;
    Date date_;
};

}  // namespace

std::string timestamp_text(std::int64_t nanoseconds) {
    return format_timestamp(nanoseconds, "%FT%T.%N %Z", 0, "UTC");
}

std::string format_timestamp(std::int64_t nanoseconds, std::string_view format, int offset,
                             std::string_view zone) {
    return Formatter(nanoseconds, offset, zone).run(format);
}

}  // namespace volley
