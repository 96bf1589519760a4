#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace volley {

/// "1-02:03:04.5": days, hours, minutes, seconds and the fraction without trailing zeroes.
std::string timespan_text(std::int64_t nanoseconds);
/// "2020-01-02T03:04:05.000000000 UTC".
std::string timestamp_text(std::int64_t nanoseconds);

/// Spec "Timespan" and "Timestamp": strftime with Puppet's letters. Throws EvalError for a wrong format.
std::string format_timespan(std::int64_t nanoseconds, std::string_view format);
/// `offset` is in seconds east of UTC; `zone` is the name that %Z shows.
std::string format_timestamp(std::int64_t nanoseconds, std::string_view format, int offset,
                             std::string_view zone);

/// The duration that a text stands for by a format; nullopt when it does not match.
std::optional<std::int64_t> parse_timespan(std::string_view text, std::string_view format);

/// The time that a text stands for by a format.
struct ParsedTimestamp {
    std::int64_t nanoseconds = 0;  // since 1970, as if the text were in UTC
    std::string zone;              // what %z or %Z has found; empty without one
};
/// Spec "Timestamp": strptime. nullopt when the text does not match; throws EvalError for a time that cannot
/// be: one without a year, or outside of the years 1678 to 2261.
std::optional<ParsedTimestamp> parse_timestamp(std::string_view text, std::string_view format);

/// The length of the time zone that `text` begins with: "UTC", "+02:00", "eastern daylight time"; 0 for none.
std::size_t zone_length(std::string_view text);
/// Seconds east of UTC of a zone; nullopt for a name that is not known.
std::optional<int> zone_offset(std::string_view zone);

}  // namespace volley
