#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/lookup/lookup.hpp"

namespace volley::builtins {
namespace {

/// hiera, hiera_array, hiera_hash and hiera_include: lookups with a fixed merge.
Value hiera_value(CallContext& context, const std::string& key, std::optional<Value> otherwise,
                  const Value& levels) {
    if (context.environment().settings.strict != Strictness::Off) {
        const std::string name(context.name);
        context.environment().deprecation(name,
                                          "The function '" + name +
                                              "' is deprecated in favor of using 'lookup'. See "
                                              "https://puppet.com/docs/puppet/7.23/deprecated_language.html");
    }
    LookupRequest request;
    request.names = {key};
    request.merge = context.name == "hiera" ? "first" : context.name == "hiera_hash" ? "hash" : "unique";
    request.default_value = std::move(otherwise);
    request.block = context.block;
    request.hiera_call = true;
    request.hiera_levels = levels;
    Value value = context.environment().lookup().find(context.evaluator, context.frame, request);
    if (context.name != "hiera_include") return value;
    if (value.is_undef()) throw EvalError("", "Could not find data item " + key);
    const bool empty = value.is_array()    ? value.as_array().empty()
                       : value.is_string() ? value.as_string().empty()
                                           : value.is_hash() && value.as_hash().empty();
    if (empty) return {};
    return context.evaluator.call("include", {value}, nullptr, context.frame, context.at);
}

/// Compatibility: Puppet has a way to call these with a list, which always fails.
Value hiera_with_list(CallContext& context, std::span<const Value>) {
    throw EvalError("", "'" + std::string(context.name) + "' takes a key, not a list");
}
Value hiera_without_default(CallContext& context, std::span<const Value> args) {
    return hiera_value(context, args[0].as_string(), std::nullopt, {});
}
Value hiera_with_default(CallContext& context, std::span<const Value> args) {
    return hiera_value(context, args[0].as_string(), args[1], args.size() > 2 ? args[2] : Value());
}
Value hiera_with_block(CallContext& context, std::span<const Value> args) {
    return hiera_value(context, args[0].as_string(), std::nullopt, args.size() > 1 ? args[1] : Value());
}

std::vector<Dispatch> hiera_dispatches() {
    return {{.params = {{"Tuple[String, Any, Any, 1, 3]", "args"}}, .call = hiera_with_list},
            {.params = {{"String", "key"}}, .call = hiera_without_default},
            {.params = {{"String", "key"}, {"Any", "default"}, {"Any", "override", Dispatch::Optional}},
             .call = hiera_with_default},
            {.params = {{"String", "key"}}, .block = "Callable[1,1]", .call = hiera_with_block},
            {.params = {{"String", "key"}, {"Any", "override"}},
             .block = "Callable[1,1]",
             .call = hiera_with_block}};
}

}  // namespace

const Builtin& hiera_builtin() {
    static const Builtin def{.name = "hiera",
                             .doc = "The first value of a key in Hiera's data. Use lookup().",
                             .pure = true,
                             .reads_variables = true,
                             .dispatches = hiera_dispatches()};
    return def;
}
const Builtin& hiera_array_builtin() {
    static const Builtin def{
        .name = "hiera_array",
        .doc = "All values of a key in Hiera's data as one list without repetitions. Use lookup().",
        .pure = true,
        .reads_variables = true,
        .dispatches = hiera_dispatches()};
    return def;
}
const Builtin& hiera_hash_builtin() {
    static const Builtin def{.name = "hiera_hash",
                             .doc = "The hashes that a key has in Hiera's data, merged. Use lookup().",
                             .pure = true,
                             .reads_variables = true,
                             .dispatches = hiera_dispatches()};
    return def;
}
const Builtin& hiera_include_builtin() {
    static const Builtin def{
        .name = "hiera_include",
        .doc = "Includes the classes that a key of Hiera's data lists. Use lookup() and include().",
        .dispatches = hiera_dispatches()};
    return def;
}

}  // namespace volley::builtins
