#include "apply/compiler/functions/declared_with.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"
#include "language/types/types.hpp"

namespace volley::compiler_functions {
namespace {

Value defined_with_params(CallContext& context, std::span<const Value> args) {
    if (args.empty() || args[0].is_undef()) throw EvalError("", "Must specify a reference");
    const Value parameters = hash_argument(args, 1);
    if (args[0].is_string())
        return declared_with(context, parse_resource_key(args[0].as_string()), parameters.as_hash());
    if (!args[0].is(Kind::Type) || args[0].as_type()->kind() != TypeKind::Resource)
        throw EvalError("", "Reference is not understood: '" + std::string(kind_name(args[0].kind())) + "'");
    const auto& reference = as<types::CatalogType>(*args[0].as_type());
    return declared_with(context,
                         make_resource_key(reference.type_name.value_or(""), reference.title.value_or("")),
                         parameters.as_hash());
}

}  // namespace

const Builtin& defined_with_params_builtin() {
    static const Builtin def{
        .name = "defined_with_params",
        .doc = "Whether the catalog has a resource with certain values of parameters already.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}}, .call = defined_with_params}},
    };
    return def;
}

}  // namespace volley::compiler_functions
