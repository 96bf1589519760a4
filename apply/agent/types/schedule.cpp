#include "apply/agent/types/schedule.hpp"

#include <array>
#include <ctime>
#include <set>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::int64_t day_seconds = 86400;

tm local(std::int64_t when) {
    const time_t seconds = static_cast<time_t>(when);
    tm parts{};
    ::localtime_r(&seconds, &parts);
    return parts;
}

struct TimeOfDay {
    int hour = 0, minute = 0, second = 0;
};

TimeOfDay time_of_day(const std::string& text) {
    std::array<unsigned, 3> numbers{};
    const auto parts = split(trim(text), ':');
    if (parts.size() > 3) throw ApplyError("Invalid range " + text);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto number = decimal(trim(parts[i]));
        if (!number) throw ApplyError("Invalid range value '" + text + "'");
        numbers[i] = *number;
    }
    if (numbers[0] > 23) throw ApplyError("Invalid hour '" + std::to_string(numbers[0]) + "'");
    if (numbers[1] > 59) throw ApplyError("Invalid minute '" + std::to_string(numbers[1]) + "'");
    return {static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), static_cast<int>(numbers[2])};
}

std::int64_t moment(tm day, const TimeOfDay& time, int shift) {
    day.tm_mday += shift;
    day.tm_hour = time.hour;
    day.tm_min = time.minute;
    day.tm_sec = time.second;
    day.tm_isdst = -1;
    return static_cast<std::int64_t>(::mktime(&day));
}

std::set<int> weekdays_of(const Resource& schedule) {
    static constexpr std::array<std::string_view, 7> names = {"sun", "mon", "tue", "wed",
                                                              "thu", "fri", "sat"};
    std::set<int> days;
    for (const std::string& text : schedule.texts("weekday")) {
        const std::string word = lower(text).substr(0, 3);
        bool known = text.size() == 1 && text[0] >= '0' && text[0] <= '6';
        if (known) days.insert(text[0] - '0');
        for (std::size_t i = 0; i < names.size() && !known; ++i) {
            if (word != names[i]) continue;
            days.insert(static_cast<int>(i));
            known = true;
        }
        if (!known) throw ApplyError(text + " is not a valid day of the week");
    }
    return days;
}

bool range_matches(const Resource& schedule, std::int64_t now) {
    const auto days = weekdays_of(schedule);
    const auto day_fits = [&](int day) { return days.empty() || days.contains(day); };
    const tm today = local(now);
    for (const std::string& text : schedule.texts("range")) {
        const auto ends = split(text, '-');
        if (ends.size() != 2) throw ApplyError("Invalid range value '" + text + "'");
        const TimeOfDay from = time_of_day(ends[0]);
        const TimeOfDay to = time_of_day(ends[1]);
        const std::int64_t begin = moment(today, from, 0);
        const std::int64_t end = moment(today, to, 0);
        if (begin < end) {
            if (now >= begin && now <= end && day_fits(today.tm_wday)) return true;
        } else if (now >= begin && now <= moment(today, to, 1)) {
            if (day_fits(today.tm_wday)) return true;
        } else if (now >= moment(today, from, -1) && now <= end) {
            if (day_fits((today.tm_wday + 6) % 7)) return true;
        }
    }
    return false;
}

bool period_matches(const Resource& schedule, std::int64_t last, std::int64_t now) {
    const std::string period = schedule.text("period");
    if (period == "never") return false;
    if (schedule.text("periodmatch", "distance") == "number") {
        const tm before = local(last);
        const tm today = local(now);
        if (period == "hourly") return before.tm_hour != today.tm_hour;
        if (period == "daily") return before.tm_mday != today.tm_mday;
        if (period == "monthly") return before.tm_mon != today.tm_mon;
        return before.tm_wday > today.tm_wday || now - last > 7 * day_seconds;
    }
    const auto repeat = decimal(schedule.text("repeat", "1"));
    if (!repeat || *repeat == 0) throw ApplyError("Repeat must be a number");
    std::int64_t scale = 3600;
    if (period == "daily") scale = day_seconds;
    if (period == "weekly") scale = 7 * day_seconds;
    if (period == "monthly") scale = 30 * day_seconds;
    return now - last >= scale / *repeat;
}

}  // namespace

bool schedule_matches(const Resource& schedule, std::int64_t last, std::int64_t now) {
    if (schedule.find("range") != nullptr) {
        if (!range_matches(schedule, now)) return false;
    } else if (schedule.find("weekday") != nullptr && !weekdays_of(schedule).contains(local(now).tm_wday)) {
        return false;
    }
    return schedule.find("period") == nullptr || period_matches(schedule, last, now);
}

}  // namespace volley::agent
