#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_any2array(CallContext&, std::span<const Value> args) {
    if (args.size() != 1) return std::vector<Value>(args.begin(), args.end());
    const Value& only = args[0];
    if (only.is_array()) return only;
    if (only.is_string() && only.as_string().empty()) return std::vector<Value>();
    if (!only.is_hash()) return std::vector<Value>{only};
    std::vector<Value> result;
    for (const auto& entry : only.as_hash()) {
        result.push_back(entry.key);
        result.push_back(entry.value);
    }
    return result;
}

}  // namespace

const Builtin& any2array_function() {
    static const Builtin def{
        .name = "any2array",
        .doc =
            "Its argument as a list: a list stays one, a hash becomes keys and values in turn, nothing or an "
            "empty string an empty list.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_any2array)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
