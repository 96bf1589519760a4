#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/escapes.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_uriescape(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("uriescape(): Wrong number of arguments given (0 for 1)");
    if (args[0].is_string()) return uri_escaped(args[0].as_string());
    if (!args[0].is_array()) fail("uriescape(): Requires either array or string to work with");
    std::vector<Value> result;
    for (const Value& item : args[0].as_array())
        result.push_back(item.is_string() ? Value(uri_escaped(item.as_string())) : item);
    return result;
}

}  // namespace

const Builtin& uriescape_function() {
    static const Builtin def{
        .name = "uriescape",
        .doc = "A text, or each text of a list, with what a URI cannot hold written as %XX.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_uriescape)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
