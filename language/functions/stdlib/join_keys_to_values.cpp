#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_join_keys(CallContext&, std::span<const Value> args) {
    if (args.size() != 2)
        fail("join_keys_to_values(): Takes exactly two arguments, but " + std::to_string(args.size()) +
             " given.");
    if (!args[0].is_hash()) {
        fail("join_keys_to_values(): The first argument must be a hash, but a " + ruby_class(args[0]) +
             " was given.");
    }
    if (!args[1].is_string()) {
        fail("join_keys_to_values(): The second argument must be a string, but a " + ruby_class(args[1]) +
             " was given.");
    }
    std::vector<Value> result;
    for (const auto& entry : args[0].as_hash()) {
        const std::string start = ruby_to_s(entry.key) + args[1].as_string();
        if (entry.value.is_array()) {
            for (const Value& item : entry.value.as_array()) result.emplace_back(start + ruby_to_s(item));
        } else if (ruby_to_s(entry.value) == "undef") {
            result.emplace_back(ruby_to_s(entry.key));
        } else {
            result.emplace_back(start + ruby_to_s(entry.value));
        }
    }
    return result;
}

}  // namespace

const Builtin& join_keys_to_values_function() {
    static const Builtin def{
        .name = "join_keys_to_values",
        .doc =
            "A list of key, separator and value as one text for the entries of a hash; a list as value "
            "becomes "
            "one text for each element.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_join_keys)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
