#include "language/functions/stdlib/common.hpp"
#include "language/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_prefix(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("prefix(): Wrong number of arguments given (0 for 1)");
    if (!args[0].is_array() && !args[0].is_hash()) {
        fail("prefix(): expected first argument to be an Array or a Hash, got " + ruby_inspect(args[0]));
    }
    const bool given = args.size() > 1 && args[1].truthy();
    if (given && !args[1].is_string())
        fail("prefix(): expected second argument to be a String, got " + ruby_inspect(args[1]));
    const std::string added = given ? args[1].as_string() : "";
    const auto changed = [&added](const Value& value) { return added + ruby_to_s(value); };
    if (args[0].is_array()) {
        std::vector<Value> result;
        for (const Value& item : args[0].as_array()) result.emplace_back(changed(item));
        return result;
    }
    HashBuilder result;
    for (const auto& entry : args[0].as_hash()) result.set(changed(entry.key), entry.value);
    return result.build();
}

}  // namespace

const Builtin& prefix_function() {
    static const Builtin def{
        .name = "prefix",
        .doc = "The elements of a list, or the keys of a hash, with a text before each.",
        .dispatches = {legacy_dispatch(stdlib_prefix)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
