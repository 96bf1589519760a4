#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"
#include "language/time/calendar.hpp"
#include "language/time/time_text.hpp"
#include "support/text.hpp"

namespace volley::builtins {
namespace {

Value of_timespan(CallContext&, std::span<const Value> args) {
    return format_timespan(args[0].as_integer(), args[1].as_string());
}
/// Compatibility: a time in a zone that was asked for has no name for it, and its offset has no seconds.
Value show(std::int64_t time, const std::string& format, const std::string& zone) {
    if (zone.empty()) return format_timestamp(time, format, 0, "UTC");
    const auto offset = lower(zone) == "current" ? std::optional(0) : zone_offset(zone);
    if (!offset) throw EvalError("", "Illegal timezone '" + zone + "'");
    const std::int64_t minutes = calendar::floor_div(*offset, 60);
    if (minutes <= -24 * 60 || minutes >= 24 * 60) throw EvalError("", "utc_offset out of range");
    return format_timestamp(time, format, static_cast<int>(minutes) * 60, zone == "-00:00" ? "UTC" : "");
}
Value of_timestamp(CallContext&, std::span<const Value> args) {
    return show(args[0].as_integer(), args[1].as_string(), args.size() > 2 ? args[2].as_string() : "");
}
Value of_now(CallContext& context, std::span<const Value> args) {
    const Location at = context.at;
    context.environment().deprecation(
        "legacy#strftime",
        "The argument signature (String format, [String timezone]) is deprecated for "
        "#strftime. See #strftime documentation and Timespan type for more info",
        &at);
    return show(context.environment().host.now(), args[0].as_string(),
                args.size() > 1 ? args[1].as_string() : "");
}

}  // namespace

const Builtin& strftime_builtin() {
    static const Builtin def{
        .name = "strftime",
        .doc = "A time or duration as text by a format.",
        .pure = true,
        .dispatches = {{.params = {{"Timespan", "time_object"}, {"String", "format"}}, .call = of_timespan},
                       {.params = {{"Timestamp", "time_object"},
                                   {"String", "format"},
                                   {"String", "timezone", Dispatch::Optional}},
                        .call = of_timestamp},
                       {.params = {{"String", "format"}, {"String", "timezone", Dispatch::Optional}},
                        .call = of_now}},
    };
    return def;
}

}  // namespace volley::builtins
