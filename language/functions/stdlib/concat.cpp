#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_concat(CallContext&, std::span<const Value> args) {
    if (args.size() < 2)
        fail("concat(): Wrong number of arguments given (" + std::to_string(args.size()) + " for < 2)");
    if (!args[0].is_array()) fail("concat(): Requires array to work with");
    std::vector<Value> result = args[0].as_array().items();
    for (const Value& more : args.subspan(1)) {
        if (!more.is_array())
            result.push_back(more);
        else
            result.insert(result.end(), more.as_array().begin(), more.as_array().end());
    }
    return result;
}

}  // namespace

const Builtin& concat_function() {
    static const Builtin def{
        .name = "concat",
        .doc = "A list with more elements and the elements of more lists at its end.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_concat)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
