#include "language/functions/defined.hpp"

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley::builtins {
namespace {

bool type_known(const std::string& name) {
    const TypePtr type = types::builtin_type(lower(name));
    return type && type->kind() == TypeKind::Resource && as<types::CatalogType>(*type).type_name;
}
bool text_known(CallContext& context, const std::string& name) {
    if (name.starts_with('$'))
        return context.evaluator.find_variable(name.substr(1), context.frame).has_value();
    return name == "main" || type_known(name);
}
bool reference_known(CallContext& context, const Type& type) {
    if (type.kind() == TypeKind::Type && as<types::WrapperType>(type).type)
        return reference_known(context, *as<types::WrapperType>(type).type);
    if (type.kind() != TypeKind::Resource) return false;
    const auto& resource = as<types::CatalogType>(type);
    if (!resource.type_name)
        throw EvalError("", "The given resource type is a reference to all kind of types");
    return !resource.title && type_known(*resource.type_name);
}

}  // namespace

const Builtin& defined_builtin() {
    static const Builtin def = defined_function<text_known, reference_known>();
    return def;
}

}  // namespace volley::builtins
