#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/json_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_to_json(CallContext&, std::span<const Value> args) { return json_text(args[0], {}); }

}  // namespace

const Builtin& to_json_function() {
    static const Builtin def{
        .name = "to_json",
        .doc = "A value as JSON.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "data"}}, .call = stdlib_to_json}},
    };
    return def;
}

}  // namespace volley::stdlib
