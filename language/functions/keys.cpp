#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value keys(CallContext&, std::span<const Value> args) {
    std::vector<Value> result;
    for (const auto& entry : args[0].as_hash()) result.push_back(entry.key);
    return result;
}

}  // namespace

const Builtin& keys_builtin() {
    static const Builtin def{
        .name = "keys",
        .doc = "The keys of a hash.",
        .pure = true,
        .dispatches = {{.params = {{"Hash", "hsh"}}, .call = keys}},
    };
    return def;
}

}  // namespace volley::builtins
