#include "apply/agent/types/schedule.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <set>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/values/errors.hpp"
#include "apply/agent/values/whole_number.hpp"
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
    // Compatibility: what follows the seconds does not count.
    for (std::size_t i = 0; i < std::min(parts.size(), numbers.size()); ++i) {
        const auto number = decimal(trim(parts[i]));
        if (!number) throw ApplyError("Invalid range value '" + text + "'");
        numbers[i] = *number;
    }
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
        if (text.size() == 1 && text[0] >= '0' && text[0] <= '6') days.insert(text[0] - '0');
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (lower(text).substr(0, 3) == names[i]) days.insert(static_cast<int>(i));
        }
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
    // Compatibility: a negative number makes it always due.
    const auto repeat = whole_number(schedule.text("repeat", "1"));
    if (!repeat || *repeat == 0) throw ApplyError("divided by 0");
    std::int64_t scale = 3600;
    if (period == "daily") scale = day_seconds;
    if (period == "weekly") scale = 7 * day_seconds;
    if (period == "monthly") scale = 30 * day_seconds;
    return now - last >= scale / *repeat;
}

bool is_weekday(const Value& value) {
    static constexpr std::array<std::string_view, 11> names = {
        "mon", "tue", "tues", "wed", "wednes", "thu", "thurs", "fri", "sat", "satur", "sun"};
    if (value.is(Value::Kind::Integer)) return value.integer() >= 0 && value.integer() <= 6;
    if (!value.is_text()) return false;
    std::string word = lower(value.text());
    if (word.size() == 1) return word[0] >= '0' && word[0] <= '6';
    if (word.ends_with("day")) word.resize(word.size() - 3);
    return std::find(names.begin(), names.end(), word) != names.end();
}

/// "2", "2:30" and "2:30:15".
bool is_time_of_day(std::string_view text) {
    const auto parts = split(trim(text), ':');
    return std::all_of(parts.begin(), parts.end(),
                       [](const std::string& part) { return decimal(part).has_value(); });
}

std::vector<Value> listed(const Value* value) {
    if (value == nullptr) return {};
    return value->is(Value::Kind::Array) ? value->items() : std::vector<Value>{*value};
}

/// Why a range is none; nullopt when it is one. `converting`: the text as such has the form of one.
std::optional<std::string> fault_of_range(const Value& range, bool& converting) {
    const auto ends = split(range.to_text(), '-');
    if (!range.is_text() || ends.size() < 2 || !is_time_of_day(ends[0]) || !is_time_of_day(ends[1]))
        return "Invalid range value '" + range.to_text() + "'";
    if (ends.size() > 2) return "Invalid range " + range.to_text();
    converting = true;
    const TimeOfDay from = time_of_day(ends[0]), to = time_of_day(ends[1]);
    for (const int hour : {from.hour, to.hour}) {
        if (hour < 0 || hour > 23) return "Invalid hour '" + std::to_string(hour) + "'";
    }
    for (const int minute : {from.minute, to.minute}) {
        if (minute < 0 || minute > 59) return "Invalid minute '" + std::to_string(minute) + "'";
    }
    return std::nullopt;
}

}  // namespace

void check_schedule(const Resource& schedule) {
    for (const Value& range : listed(schedule.find("range"))) {
        bool converting = false;
        if (const auto fault = fault_of_range(range, converting))
            throw converting ? conversion_error(schedule, "range", *schedule.find("range"), *fault)
                             : parameter_error(schedule, "range", *fault);
    }
    word_parameter(schedule, "periodmatch", "number, distance");
    word_parameter(schedule, "period", "hourly, daily, weekly, monthly, never");
    if (const Value* repeat = schedule.find("repeat")) {
        if (repeat->is(Value::Kind::Object)) throw ApplyError(not_a_text(*repeat));
        const std::string text = repeat->to_text();
        const bool number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        if (!repeat->is(Value::Kind::Integer) && !number)
            throw parameter_error(schedule, "repeat", "Repeat must be a number");
        if (text != "1" && schedule.text("periodmatch", "distance") != "distance")
            throw parameter_error(schedule, "repeat",
                                  "Repeat must be 1 unless periodmatch is 'distance', not 'number'");
    }
    for (const Value& day : listed(schedule.find("weekday"))) {
        if (!is_weekday(day))
            throw parameter_error(schedule, "weekday", day.to_text() + " is not a valid day of the week");
    }
}

bool schedule_matches(const Resource& schedule, std::int64_t last, std::int64_t now) {
    if (schedule.find("range") != nullptr) {
        if (!range_matches(schedule, now)) return false;
    } else if (schedule.find("weekday") != nullptr && !weekdays_of(schedule).contains(local(now).tm_wday)) {
        return false;
    }
    return schedule.find("period") == nullptr || period_matches(schedule, last, now);
}

}  // namespace volley::agent
