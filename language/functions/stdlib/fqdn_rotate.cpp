#include <algorithm>

#include "language/evaluator/iterate.hpp"
#include "language/functions/ruby_random.hpp"
#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_fqdn_rotate(CallContext& context, std::span<const Value> args) {
    if (args.empty()) fail("fqdn_rotate(): Wrong number of arguments given (0 for 1)");
    if (!args[0].is_array() && !args[0].is_string())
        fail("fqdn_rotate(): Requires either array or string to work with");
    std::vector<Value> items =
        args[0].is_array() ? args[0].as_array().items() : iterate_all(args[0]).as_array().items();
    if (items.size() <= 1) return args[0];
    // Compatibility: without seeds the name is followed by the separator and nothing.
    std::vector<Value> seeds(args.begin() + 1, args.end());
    if (seeds.empty()) seeds.emplace_back("");
    const std::int64_t places =
        ruby_random(node_seed(context, seeds), static_cast<std::int64_t>(items.size()));
    std::rotate(items.begin(), items.begin() + places, items.end());
    if (args[0].is_array()) return items;
    std::string text;
    for (const Value& character : items) text += character.as_string();
    return text;
}

}  // namespace

const Builtin& fqdn_rotate_function() {
    static const Builtin def{
        .name = "fqdn_rotate",
        .doc =
            "A list or text rotated by a number of places that depends on the node (the fact fqdn) and on "
            "seeds.",
        .pure = true,
        .reads_variables = true,
        .dispatches = {legacy_dispatch(stdlib_fqdn_rotate)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
