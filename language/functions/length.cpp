#include "language/binary.hpp"
#include "language/functions/builtin.hpp"
#include "language/text/text.hpp"

namespace volley::builtins {
namespace {

Value length_of_collection(CallContext&, std::span<const Value> args) {
    return args[0].is_array() ? args[0].as_array().size() : args[0].as_hash().size();
}
Value length_of_string(CallContext&, std::span<const Value> args) {
    return character_count(args[0].as_string());
}

Value length_of_binary(CallContext&, std::span<const Value> args) {
    return args[0].as<Binary>().bytes.size();
}

}  // namespace

const Builtin& length_builtin() {
    static const Builtin def{
        .name = "length",
        .doc = "The number of items or characters.",
        .pure = true,
        .dispatches = {{.params = {{"Collection", "arg"}}, .call = length_of_collection},
                       {.params = {{"String", "arg"}}, .call = length_of_string},
                       {.params = {{"Binary", "arg"}}, .call = length_of_binary}},
    };
    return def;
}

}  // namespace volley::builtins
