#include "apply/compiler/functions/declared_with.hpp"
#include "language/errors.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::compiler_functions {
namespace {

Value ensure_resources(CallContext& context, std::span<const Value> args) {
    if (args.empty() || args[0].is_undef()) throw EvalError("", "Must specify a type");
    if (args.size() < 2 || args[1].is_undef()) throw EvalError("", "Must specify a title");
    if (!args[1].is_hash()) throw EvalError("", "ensure_resources(): Requires second argument to be a Hash");
    const Value defaults = hash_argument(args, 2);
    for (const auto& entry : args[1].as_hash()) {
        HashBuilder parameters(defaults.as_hash());
        if (entry.value.is_hash()) {
            for (const auto& one : entry.value.as_hash()) parameters.set(one.key, one.value);
        }
        ensure_declared(context, ruby_to_s(args[0]), ruby_to_s(entry.key), parameters.build());
    }
    return {};
}

}  // namespace

const Builtin& ensure_resources_builtin() {
    static const Builtin def{
        .name = "ensure_resources",
        .doc =
            "Declares resources from a hash of titles unless they are declared with the same parameters "
            "already.",
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}}, .call = ensure_resources}},
    };
    return def;
}

}  // namespace volley::compiler_functions
