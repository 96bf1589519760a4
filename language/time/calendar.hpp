#pragma once

#include <cstdint>
#include <string_view>

/// The Gregorian calendar, for writing and reading times.
namespace volley::calendar {

inline constexpr std::string_view months[12] = {"January",   "February", "March",    "April",
                                                "May",       "June",     "July",     "August",
                                                "September", "October",  "November", "December"};
inline constexpr std::string_view weekdays[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                 "Thursday", "Friday", "Saturday"};

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Days since 1970 of a date, and back (Howard Hinnant's algorithms).
constexpr std::int64_t days_from(std::int64_t year, unsigned month, unsigned day) {
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = floor_div(year, 400);
    const auto of_era = static_cast<unsigned>(year - era * 400);
    const unsigned of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + static_cast<std::int64_t>(of_era * 365 + of_era / 4 - of_era / 100 + of_year) -
           719468;
}

struct Date {
    std::int64_t year = 1970;
    unsigned month = 1;
    unsigned day = 1;
};

constexpr Date date_of(std::int64_t days) {
    days += 719468;
    const std::int64_t era = floor_div(days, 146097);
    const auto of_era = static_cast<unsigned>(days - era * 146097);
    const unsigned year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const unsigned of_year = of_era - (365 * year + year / 4 - year / 100);
    const unsigned month = (5 * of_year + 2) / 153;
    Date date;
    date.day = of_year - (153 * month + 2) / 5 + 1;
    date.month = month < 10 ? month + 3 : month - 9;
    date.year = static_cast<std::int64_t>(year) + era * 400 + (date.month <= 2 ? 1 : 0);
    return date;
}

constexpr bool same_letters(std::string_view text, std::string_view name) {
    if (text.size() < name.size()) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if ((text[i] | 0x20) != (name[i] | 0x20)) return false;
    }
    return true;
}

/// Reads a full name, or its first three letters, of any case; -1 when there is none.
template <std::size_t N>
constexpr int take_name(std::string_view text, std::size_t& at, const std::string_view (&names)[N]) {
    for (const bool full : {true, false}) {
        for (std::size_t i = 0; i < N; ++i) {
            const std::string_view name = full ? names[i] : names[i].substr(0, 3);
            if (!same_letters(text.substr(at), name)) continue;
            at += name.size();
            return static_cast<int>(i);
        }
    }
    return -1;
}

}  // namespace volley::calendar
