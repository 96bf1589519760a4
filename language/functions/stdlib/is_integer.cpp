#include "language/functions/stdlib/common.hpp"
#include "language/text/regexp.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_integer(CallContext&, std::span<const Value> args) {
    if (args.size() != 1)
        fail("is_integer(): Wrong number of arguments given " + std::to_string(args.size()) + " for 1");
    if (args[0].is(Kind::Integer)) return true;
    return args[0].is_string() && Regexp::compile("^-?(?:(?:[1-9]\\d*)|0)$")->matches(args[0].as_string());
}

}  // namespace

const Builtin& is_integer_function() {
    static const Builtin def{
        .name = "is_integer",
        .doc = "Whether its argument is a whole number, also as text.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_is_integer)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
