#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value values(CallContext&, std::span<const Value> args) {
    std::vector<Value> result;
    for (const auto& entry : args[0].as_hash()) result.push_back(entry.value);
    return result;
}

}  // namespace

const Builtin& values_builtin() {
    static const Builtin def{
        .name = "values",
        .doc = "The values of a hash.",
        .pure = true,
        .dispatches = {{.params = {{"Hash", "hsh"}}, .call = values}},
    };
    return def;
}

}  // namespace volley::builtins
