#include "language/binary.hpp"
#include "language/functions/builtin.hpp"
#include "language/text/text.hpp"

namespace volley::builtins {
namespace {

Value size(CallContext&, std::span<const Value> args) {
    if (args[0].is(Kind::Binary)) return args[0].as<Binary>().bytes.size();
    if (args[0].is_string()) return character_count(args[0].as_string());
    return args[0].is_array() ? args[0].as_array().size() : args[0].as_hash().size();
}

}  // namespace

const Builtin& size_builtin() {
    static const Builtin def{
        .name = "size",
        .doc = "The number of items or characters.",
        .pure = true,
        .dispatches = {{.params = {{"Variant[Collection, String, Binary]", "arg"}}, .call = size}},
    };
    return def;
}

}  // namespace volley::builtins
