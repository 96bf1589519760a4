#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"
#include "language/time_text.hpp"

namespace volley::builtins {
namespace {

Value of_timespan(CallContext&, std::span<const Value> args) {
    return format_timespan(args[0].as_integer(), args[1].as_string());
}
Value show(std::int64_t time, const std::string& format, const std::string& zone) {
    if (zone.empty() || zone == "UTC") return format_timestamp(time, format, 0, zone.empty() ? "UTC" : zone);
    const auto offset = zone == "current" ? std::optional(0) : zone_offset(zone);
    if (!offset) throw EvalError("", "Illegal timezone '" + zone + "'");
    return format_timestamp(time, format, *offset,
                            zone.starts_with('+') || zone.starts_with('-') ? "" : zone);
}
Value of_timestamp(CallContext&, std::span<const Value> args) {
    return show(args[0].as_integer(), args[1].as_string(), args.size() > 2 ? args[2].as_string() : "");
}
Value of_now(CallContext& context, std::span<const Value> args) {
    return show(context.environment().host.now(), args[0].as_string(),
                args.size() > 1 ? args[1].as_string() : "");
}

}  // namespace

const Builtin& strftime_builtin() {
    static const Builtin def{
        .name = "strftime",
        .doc = "A time or duration as text by a format.",
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
