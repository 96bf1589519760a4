#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"
#include "language/types/parse.hpp"

namespace volley::builtins {
namespace {

Value check(CallContext& context, const TypePtr& type, const Value& value) {
    if (is_instance(*type, value)) return value;
    const TypePtr actual = infer_set(value);
    if (context.block) return context.yield({Value(type), Value(actual)});
    throw EvalError("", describe_mismatch("assert_type():", type, actual));
}
Value assert_type_by_type(CallContext& context, std::span<const Value> args) {
    return check(context, args[0].as_type(), args[1]);
}
Value assert_type_by_text(CallContext& context, std::span<const Value> args) {
    return check(context, parse_type(args[0].as_string(), context.environment().types), args[1]);
}

}  // namespace

const Builtin& assert_type_builtin() {
    static const Builtin def{
        .name = "assert_type",
        .doc = "A value, when it is an instance of a type; else an error, or the lambda's value.",
        .pure = true,
        .dispatches = {{.params = {{"Type", "type"}, {"Any", "value"}},
                        .block = "Optional[Callable[Type, Type]]",
                        .call = assert_type_by_type},
                       {.params = {{"String", "type_string"}, {"Any", "value"}},
                        .block = "Optional[Callable[Type, Type]]",
                        .call = assert_type_by_text}},
    };
    return def;
}

}  // namespace volley::builtins
