#include <algorithm>
#include <array>
#include <cstdio>

#include "language/calendar.hpp"
#include "language/syntax/characters.hpp"
#include "language/time_text.hpp"

namespace volley {
namespace {

using calendar::Date;
using calendar::date_of;
using calendar::days_from;
using calendar::floor_div;

constexpr std::int64_t timestamp_text_second = 1'000'000'000;

/// What stands between "%" and its letter.
struct Directive {
    char fill = 0;  // '0', ' ', '-' for none, 0 when not given
    bool upper = false;
    bool swap = false;
    int colons = 0;
    int width = 0;
    char letter = 0;
};

Directive read_directive(std::string_view format, std::size_t& at) {
    Directive directive;
    for (; at < format.size(); ++at) {
        const char c = format[at];
        if (c == '-')
            directive.fill = '-';
        else if (c == '_')
            directive.fill = ' ';
        else if (c == '0' && directive.width == 0)
            directive.fill = '0';
        else if (c == '^')
            directive.upper = true;
        else if (c == '#')
            directive.swap = true;
        else if (c == ':')
            ++directive.colons;
        else if (is_digit(c))
            directive.width = std::min(directive.width * 10 + (c - '0'), 1000);
        else
            break;
    }
    if (at < format.size()) directive.letter = format[at++];
    return directive;
}

std::string number_text(std::int64_t number, const Directive& directive, int width, char fill) {
    const char chosen = directive.fill == '-' ? '\0' : directive.fill ? directive.fill : fill;
    std::string digits = std::to_string(number < 0 ? -number : number);
    const int wanted = directive.width > 0 ? directive.width : width;
    while (static_cast<int>(digits.size()) < wanted && chosen != '\0') digits.insert(digits.begin(), chosen);
    return (number < 0 ? "-" : "") + digits;
}

std::string fraction_text(std::int64_t nanoseconds, int digits) {
    std::string text = std::to_string(nanoseconds);
    text.insert(0, 9 - text.size(), '0');
    text.resize(static_cast<std::size_t>(digits), '0');
    return text;
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
            const Directive directive = read_directive(format, at);
            std::string text;
            if (!date_part(directive, text) && !time_part(directive, text) && !composite(directive, text)) {
                text = format.substr(begin, at - begin);
            }
            if (directive.upper) {
                for (char& c : text) c = is_lower(c) ? static_cast<char>(c - 32) : c;
            }
            out += text;
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
            case 'B':
                out = calendar::months[date_.month - 1];
                break;
            case 'b':
            case 'h':
                out = calendar::months[date_.month - 1].substr(0, 3);
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
            case 'A':
                out = calendar::weekdays[weekday];
                break;
            case 'a':
                out = calendar::weekdays[weekday].substr(0, 3);
                break;
            case 'u':
                out = std::to_string(weekday == 0 ? 7 : weekday);
                break;
            case 'w':
                out = std::to_string(weekday);
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
            case 'p':
                out = hour < 12 ? (d.swap ? "am" : "AM") : (d.swap ? "pm" : "PM");
                break;
            case 'P':
                out = hour < 12 ? "am" : "pm";
                break;
            case 'z':
                out = offset_text(d.colons);
                break;
            case 'Z':
                out = zone_;
                break;
            case 's':
                out = std::to_string(seconds_);
                break;
            default:
                return false;
        }
        return true;
    }

    bool composite(const Directive& d, std::string& out) const {
        switch (d.letter) {
            case 'n':
                out = "\n";
                break;
            case 't':
                out = "\t";
                break;
            case '%':
                out = "%";
                break;
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
                out = run("%e-%^b-%Y");
                break;
            case '+':
                out = run("%a %b %e %H:%M:%S %Z %Y");
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

    std::string offset_text(int colons) const {
        const int magnitude = offset_ < 0 ? -offset_ : offset_;
        const int hours = magnitude / 3600;
        const int minutes = magnitude / 60 % 60;
        const char sign = offset_ < 0 ? '-' : '+';
        std::array<char, 48> text{};
        if (colons == 0)
            std::snprintf(text.data(), text.size(), "%c%02d%02d", sign, hours, minutes);
        else if (colons == 1)
            std::snprintf(text.data(), text.size(), "%c%02d:%02d", sign, hours, minutes);
        else
            std::snprintf(text.data(), text.size(), "%c%02d:%02d:%02d", sign, hours, minutes, magnitude % 60);
        return text.data();
    }

    int offset_;
    std::string zone_;
    std::int64_t seconds_ = 0;
    std::int64_t fraction_ = 0;
    std::int64_t days_ = 0;
    std::int64_t of_day_ = 0;
    Date date_;
};

class Reader {
public:
    Reader(std::string_view text, int offset) : text_(text), offset_(offset) {}

    std::optional<std::int64_t> run(std::string_view format) {
        if (!match(format) || at_ != text_.size()) return std::nullopt;
        if (epoch_) return *epoch_ * timestamp_text_second + fraction_;
        if (month_ < 1 || month_ > 12 || day_ < 1 || day_ > 31 || hour_ > 24 || minute_ > 59 || second_ > 60)
            return std::nullopt;
        if (half_day_) {
            if (hour_ < 1 || hour_ > 12) return std::nullopt;
            hour_ = hour_ % 12 + (afternoon_ ? 12 : 0);
        }
        if (year_ < 1678 || year_ > 2261) return std::nullopt;  // what nanoseconds in 64 bits can hold
        const std::int64_t days =
            days_from(year_, static_cast<unsigned>(month_), static_cast<unsigned>(day_));
        if (date_of(days).month != static_cast<unsigned>(month_)) return std::nullopt;  // 31 February
        return (days * 86400 + hour_ * 3600 + minute_ * 60 + second_ - offset_) * timestamp_text_second +
               fraction_;
    }

private:
    bool number(std::int64_t& out, int width) {
        skip_spaces();
        const std::size_t begin = at_;
        std::int64_t value = 0;
        while (at_ < text_.size() && is_digit(text_[at_]) && static_cast<int>(at_ - begin) < width) {
            value = value * 10 + (text_[at_++] - '0');
        }
        if (at_ > begin) out = value;
        return at_ > begin;
    }

    bool fraction() {
        const std::size_t begin = at_;
        std::string digits;
        while (at_ < text_.size() && is_digit(text_[at_])) digits += text_[at_++];
        digits.resize(9, '0');
        fraction_ = std::stoll(digits);
        return at_ > begin;
    }

    void skip_spaces() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }

    bool match(std::string_view format) {
        for (std::size_t f = 0; f < format.size();) {
            if (format[f] == '%') {
                ++f;
                if (!match_directive(read_directive(format, f))) return false;
            } else if (is_space(format[f])) {
                skip_spaces();
                ++f;
            } else if (at_ >= text_.size() || text_[at_++] != format[f++]) {
                return false;
            }
        }
        return true;
    }

    bool match_directive(const Directive& d) {
        switch (d.letter) {
            case 'Y':
                return number(year_, 4);
            case 'y':
                if (!number(year_, 2)) return false;
                year_ += year_ < 69 ? 2000 : 1900;
                return true;
            case 'm':
                return number(month_, 2);
            case 'd':
            case 'e':
                return number(day_, 2);
            case 'H':
            case 'k':
                return number(hour_, 2);
            case 'I':
            case 'l':
                half_day_ = true;
                return number(hour_, 2);
            case 'M':
                return number(minute_, 2);
            case 'S':
                return number(second_, 2);
            case 'j':
                return day_of_year();
            case 'L':
            case 'N':
                return fraction();
            case 'B':
            case 'b':
            case 'h':
                return month_name();
            case 'A':
            case 'a':
                return calendar::take_name(text_, at_, calendar::weekdays) >= 0;
            case 'p':
            case 'P':
                return half_of_day();
            case 's': {
                std::int64_t value = 0;
                if (!number(value, 10)) return false;
                epoch_ = value;
                return true;
            }
            case 'z':
            case 'Z':
                return zone();
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
                return match("%a %b %e %T %Y");
            case 'r':
                return match("%I:%M:%S %p");
            case 'n':
            case 't':
                skip_spaces();
                return true;
            case '%':
                return at_ < text_.size() && text_[at_++] == '%';
            default:
                return false;
        }
    }

    bool day_of_year() {
        std::int64_t day = 0;
        if (!number(day, 3)) return false;
        const Date date = date_of(days_from(year_, 1, 1) + day - 1);
        month_ = date.month;
        day_ = date.day;
        return true;
    }

    bool month_name() {
        const int month = calendar::take_name(text_, at_, calendar::months);
        month_ = month + 1;
        return month >= 0;
    }

    bool half_of_day() {
        const std::string_view mark = text_.substr(at_, 2);
        afternoon_ = mark == "PM" || mark == "pm";
        at_ += mark.size();
        return afternoon_ || mark == "AM" || mark == "am";
    }

    bool zone() {
        std::size_t end = at_;
        while (end < text_.size() &&
               (is_word(text_[end]) || text_[end] == '+' || text_[end] == '-' || text_[end] == ':'))
            ++end;
        const auto found = zone_offset(text_.substr(at_, end - at_));
        if (!found) return false;
        offset_ = *found;
        at_ = end;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::int64_t year_ = 1970;
    std::int64_t month_ = 1;
    std::int64_t day_ = 1;
    std::int64_t hour_ = 0;
    std::int64_t minute_ = 0;
    std::int64_t second_ = 0;
    std::int64_t fraction_ = 0;
    std::optional<std::int64_t> epoch_;
    int offset_;
    bool half_day_ = false;
    bool afternoon_ = false;
};

}  // namespace

std::string timestamp_text(std::int64_t nanoseconds) {
    return format_timestamp(nanoseconds, "%FT%T.%N %Z", 0, "UTC");
}

std::string format_timestamp(std::int64_t nanoseconds, std::string_view format, int offset,
                             std::string_view zone) {
    return Formatter(nanoseconds, offset, zone).run(format);
}

std::optional<std::int64_t> parse_timestamp(std::string_view text, std::string_view format, int offset) {
    return Reader(text, offset).run(format);
}

std::optional<int> zone_offset(std::string_view zone) {
    if (zone == "UTC" || zone == "GMT" || zone == "Z") return 0;
    static constexpr std::pair<std::string_view, int> names[] = {
        {"EST", -5}, {"EDT", -4}, {"CST", -6}, {"CDT", -5}, {"MST", -7},
        {"MDT", -6}, {"PST", -8}, {"PDT", -7}, {"CET", 1},  {"CEST", 2}};
    for (const auto& [name, hours] : names) {
        if (name == zone) return hours * 3600;
    }
    if (zone.empty() || (zone[0] != '+' && zone[0] != '-')) return std::nullopt;
    std::string digits;
    for (const char c : zone.substr(1)) {
        if (is_digit(c))
            digits += c;
        else if (c != ':')
            return std::nullopt;
    }
    if (digits.size() != 4 && digits.size() != 2) return std::nullopt;
    const int hours = std::stoi(digits.substr(0, 2));
    const int minutes = digits.size() == 4 ? std::stoi(digits.substr(2)) : 0;
    return (zone[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

}  // namespace volley
