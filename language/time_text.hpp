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

/// The duration that a text gives by a format; nullopt when it does not match.
std::optional<std::int64_t> parse_timespan(std::string_view text, std::string_view format);
std::optional<std::int64_t> parse_timestamp(std::string_view text, std::string_view format, int offset);
/// Seconds east of UTC from "UTC", "+02:00", "-0130"; nullopt for a name that is not known.
std::optional<int> zone_offset(std::string_view zone);

}  // namespace volley
