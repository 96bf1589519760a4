#include "apply/compiler/functions/declared_with.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::compiler_functions {
namespace {

Value ensure_resource(CallContext& context, std::span<const Value> args) {
    if (args.empty() || args[0].is_undef()) throw EvalError("", "Must specify a type");
    if (args.size() < 2 || args[1].is_undef()) throw EvalError("", "Must specify a title");
    const Value parameters = hash_argument(args, 2);
    for (const Value& title : flat_values(args[1]))
        ensure_declared(context, ruby_to_s(args[0]), title, parameters);
    return {};
}

}  // namespace

const Builtin& ensure_resource_builtin() {
    static const Builtin def{
        .name = "ensure_resource",
        .doc = "Declares resources of a type unless they are declared with the same parameters already.",
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}}, .call = ensure_resource}},
    };
    return def;
}

}  // namespace volley::compiler_functions
