#include "language/binary.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value empty_of_collection(CallContext&, std::span<const Value> args) {
    return args[0].is_array() ? args[0].as_array().empty() : args[0].as_hash().empty();
}
Value of_sensitive(CallContext&, std::span<const Value> args) {
    return args[0].unwrap_sensitive().as_string().empty();
}
Value empty_of_string(CallContext&, std::span<const Value> args) { return args[0].as_string().empty(); }
Value empty_of_number(CallContext& context, std::span<const Value>) {
    const Location at = context.at;
    context.environment().deprecation("empty-from-" + at.file + "-" + std::to_string(at.line),
                                      "Calling function empty() with Numeric value is deprecated.", &at);
    return false;
}
Value empty_of_binary(CallContext&, std::span<const Value> args) {
    return args[0].as<Binary>().bytes.empty();
}
Value of_undef(CallContext&, std::span<const Value>) { return true; }

}  // namespace

const Builtin& empty_builtin() {
    static const Builtin def{
        .name = "empty",
        .doc = "True when there is nothing in a collection or string.",
        .pure = true,
        .dispatches = {{.params = {{"Collection", "coll"}}, .call = empty_of_collection},
                       {.params = {{"Sensitive[String]", "str"}}, .call = of_sensitive},
                       {.params = {{"String", "str"}}, .call = empty_of_string},
                       {.params = {{"Numeric", "num"}}, .call = empty_of_number},
                       {.params = {{"Binary", "bin"}}, .call = empty_of_binary},
                       {.params = {{"Undef", "x"}}, .call = of_undef}},
    };
    return def;
}

}  // namespace volley::builtins
