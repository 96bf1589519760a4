#include "language/conversion/ruby_format.hpp"
#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value sprintf_text(CallContext&, std::span<const Value> args) {
    if (!args[0].is_string())
        throw EvalError("", "no implicit conversion of " + ruby_class(args[0]) + " into String");
    std::vector<Value> values(args.begin() + 1, args.end());
    for (Value& value : values) {
        if (const auto resource = legacy_resource(value)) value = *resource;
    }
    return ruby_format(args[0].as_string(), values);
}

}  // namespace

const Builtin& sprintf_builtin() {
    static const Builtin def{
        .name = "sprintf",
        .doc = "Text from a format and values.",
        .pure = true,
        .dispatches = {legacy_dispatch(sprintf_text)},
        .legacy_arity = -2,
    };
    return def;
}

}  // namespace volley::builtins
