#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/stdlib/old_checks.hpp"
#include "language/types/mismatch.hpp"
#include "language/types/parse.hpp"

namespace volley::stdlib {
namespace {

bool legacy_accepts(CallContext& context, const std::string& function, std::span<const Value> values) {
    const OldCheck check = old_check(function);
    if (!check && !context.evaluator.has_function(function)) fail("Unknown function: '" + function + "'.");
    try {
        if (check)
            check(values);
        else
            context.evaluator.call(function, {values.begin(), values.end()}, nullptr, context.frame,
                                   context.at);
        return true;
    } catch (const EvalError&) {
        return false;
    }
}

Value legacy_validation(CallContext& context, const TypePtr& wanted, std::span<const Value> args) {
    const std::string& function = args[2].as_string();
    const Value& value = args[3];
    const bool before = legacy_accepts(context, function, args.subspan(3));
    if (is_instance(*wanted, value)) {
        if (before) return {};
        context.environment().log(
            {Severity::Notice,
             "Accepting previously invalid value for target type '" + to_string(*wanted) + "'",
             "",
             {}});
        return {};
    }
    const std::string message =
        describe_mismatch("validate_legacy(" + function + ")", wanted, infer_set(value));
    if (!before) fail(message);
    deprecate(context, "validate_legacy", message);
    return {};
}

Value legacy_by_type(CallContext& context, std::span<const Value> args) {
    return legacy_validation(context, args[1].as_type(), args);
}

Value legacy_by_text(CallContext& context, std::span<const Value> args) {
    return legacy_validation(context, parse_type(args[1].as_string(), context.environment().types), args);
}

/// Compatibility: the scope counts as a first argument in what is said about a wrong call.
Value legacy_call(CallContext& context, std::span<const Value> args) {
    static const Builtin with_scope{
        .name = "validate_legacy",
        .doc = {},
        .pure = true,
        .dispatches = {{.params = {{"Any", "scope"},
                                   {"Type", "target_type"},
                                   {"String", "function_name"},
                                   {"Any", "value"},
                                   {"Any", "args", Dispatch::Repeated}},
                        .call = legacy_by_type},
                       {.params = {{"Any", "scope"},
                                   {"String", "type_string"},
                                   {"String", "function_name"},
                                   {"Any", "value"},
                                   {"Any", "args", Dispatch::Repeated}},
                        .call = legacy_by_text}},
    };
    std::vector<Value> all{Value()};
    all.insert(all.end(), args.begin(), args.end());
    return with_scope.invoke(context, all);
}

}  // namespace

const Builtin& validate_legacy_function() {
    static const Builtin def{
        .name = "validate_legacy",
        .doc =
            "Checks a value against a type and, for the time of a change, with an old validate_ function: a "
            "value "
            "that only the function accepts is deprecated, one that neither accepts is an error.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}}, .call = legacy_call}},
    };
    return def;
}

}  // namespace volley::stdlib
