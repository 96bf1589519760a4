#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/labels.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }
Value by_order(CallContext&, std::span<const Value> args) { return sign(puppet_compare(args[0], args[1])); }
Value of_strings(CallContext&, std::span<const Value> args) {
    const bool ignore_case = args.size() < 3 || args[2].as_boolean();
    return sign(ignore_case ? puppet_compare(args[0], args[1])
                            : args[0].as_string().compare(args[1].as_string()));
}
Value wrong_arguments(CallContext&, std::span<const Value> args) {
    const std::size_t extra = args.size() - 2;
    if (extra > 0) {
        if (!args[0].is_string() || !args[1].is_string()) {
            throw EvalError("",
                            "'compare' compare(): The third argument (ignore case) can only be used when "
                            "comparing strings");
        }
        if (extra != 1) {
            throw EvalError(
                "", "'compare' compare(): Accepts at most 3 arguments, got " + std::to_string(args.size()));
        }
        throw EvalError("", "'compare' compare(): The third argument (ignore case) must be a Boolean. Got " +
                                label(args[2]));
    }
    throw EvalError(
        "",
        "'compare' compare(): Can only compare values of the same type (or for Timestamp/Timespan also "
        "against Numeric). Got " +
            label(args[0]) + " and " + label(args[1]));
}
Value not_comparable(CallContext&, std::span<const Value> args) {
    throw EvalError(
        "",
        "'compare' compare(): Non comparable type. Only values of the types Numeric, String, Semver, "
        "Timestamp and Timestamp can be compared. Got " +
            label(args[0]) + " and " + label(args[1]));
}

}  // namespace

const Builtin& compare_builtin() {
    static const Builtin def{
        .name = "compare",
        .doc = "Compares two values: -1, 0 or 1.",
        .pure = true,
        .dispatches =
            {{.params = {{"Numeric", "a"}, {"Numeric", "b"}}, .call = by_order},
             {.params = {{"String", "a"}, {"String", "b"}, {"Boolean", "ignore_case", Dispatch::Optional}},
              .call = of_strings},
             {.params = {{"Semver", "a"}, {"Semver", "b"}}, .call = by_order},
             {.params = {{"Numeric", "a"}, {"Variant[Timespan, Timestamp]", "b"}}, .call = by_order},
             {.params = {{"Timestamp", "a"}, {"Variant[Timestamp, Numeric]", "b"}}, .call = by_order},
             {.params = {{"Timespan", "a"}, {"Variant[Timespan, Numeric]", "b"}}, .call = by_order},
             {.params = {{"Comparable", "a"},
                         {"Comparable", "b"},
                         {"Any", "ignore_case", Dispatch::Repeated}},
              .call = wrong_arguments,
              .explains = true},
             {.params = {{"Any", "a"}, {"Any", "b"}, {"Any", "ignore_case", Dispatch::Repeated}},
              .call = not_comparable,
              .explains = true}},
        .local_types = {{"TimeComparable", "Variant[Numeric, Timespan, Timestamp]"},
                        {"Comparable", "Variant[String, Semver, TimeComparable]"}},
    };
    return def;
}

}  // namespace volley::builtins
