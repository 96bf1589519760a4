#include "language/functions/defined.hpp"

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley::compiler_functions {
namespace {

bool text_defined(CallContext& context, const std::string& name) {
    Compiler& compiler = Compiler::of(context);
    if (name.empty()) return false;
    if (name.size() > 1 && name.starts_with('$') && is_digit(name[1]))
        return !context.frame->match_group(0).is_undef();  // where nothing has matched there are none of them
    if (name.size() > 1 && name.starts_with('$'))
        return context.evaluator.find_variable(name.substr(1), context.frame).has_value();
    return name == "main" || compiler.find_type(name) || compiler.definitions().find_class(name);
}

bool class_reference_defined(Compiler& compiler, const types::CatalogType& type, bool declared) {
    if (!type.type_name) throw EvalError("", "The given class type is a reference to all classes");
    if (!declared) return compiler.definitions().find_class(*type.type_name) != nullptr;
    return compiler.find_resource(make_resource_key("class", *type.type_name)) != nullptr;
}

bool resource_defined(Compiler& compiler, const types::CatalogType& type) {
    if (!type.type_name) throw EvalError("", "The given resource type is a reference to all kind of types");
    if (!type.title)
        return lower(*type.type_name) == "class" || compiler.find_type(*type.type_name) != nullptr;
    return compiler.find_resource(make_resource_key(*type.type_name, *type.title)) != nullptr;
}

bool reference_defined(CallContext& context, const Type& type) {
    Compiler& compiler = Compiler::of(context);
    if (type.kind() == TypeKind::Class)
        return class_reference_defined(compiler, as<types::CatalogType>(type), true);
    if (type.kind() == TypeKind::Resource) return resource_defined(compiler, as<types::CatalogType>(type));
    if (type.kind() != TypeKind::Type || !as<types::WrapperType>(type).type) return false;
    const Type& inner = *as<types::WrapperType>(type).type;
    if (inner.kind() == TypeKind::Class)
        return class_reference_defined(compiler, as<types::CatalogType>(inner), false);
    return inner.kind() == TypeKind::Resource && resource_defined(compiler, as<types::CatalogType>(inner));
}

}  // namespace

const Builtin& defined_builtin() {
    static const Builtin def = defined_function<text_defined, reference_defined>();
    return def;
}

}  // namespace volley::compiler_functions
