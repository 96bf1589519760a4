#include "language/evaluator/expressions/members.hpp"

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/evaluator/closure.hpp"
#include "language/text/uri.hpp"
#include "language/types/native_type.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

using types::ObjectType;

/// What a member accepts: nothing for an attribute, one or several signatures for a function.
std::vector<Signature> member_signatures(const Type& callable) {
    std::vector<TypePtr> accepted{callable.self()};
    if (callable.kind() == TypeKind::Variant) accepted = types::as_variant(callable);
    std::vector<Signature> signatures;
    for (const TypePtr& one : accepted) {
        const TypePtr& parameters = as<types::CallableType>(*one).parameters;
        const std::size_t count = parameters ? as<types::TupleType>(*parameters).types.size() : 0;
        signatures.push_back({one, std::vector<std::string>(count), "block"});  // they have no names
    }
    return signatures;
}

void check_arguments(const std::string& label, const Type& callable, std::span<const Value> arguments,
                     const Closure* block) {
    std::vector<TypePtr> given;
    for (const Value& argument : arguments) given.push_back(infer_set(argument));
    if (block) given.push_back(block->type());
    const TypePtr list =
        given.empty() ? types::tuple({}, types::size_range(0, 0)) : types::tuple(std::move(given));
    const auto signatures = member_signatures(callable);
    for (const Signature& signature : signatures) {
        if (as<types::CallableType>(*signature.callable).accepts_arguments(*list)) return;
    }
    throw EvalError("", describe_signatures(label, signatures, list));
}

const NativeType::Method* native_method(const ObjectType* type, std::string_view name) {
    for (; type; type = type->parent_object()) {
        if (!type->native()) continue;
        for (const NativeType::Method& method : type->native()->methods) {
            if (method.name == name) return &method;
        }
    }
    return nullptr;
}

const TypePtr& no_arguments() {
    static const TypePtr type = make_shared_object<types::CallableType>(
        types::tuple({}, types::size_range(0, 0)), TypePtr(), TypePtr());
    return type;
}

}  // namespace

bool has_member(const Value& value, std::string_view name) {
    if (value.is(Kind::Uri)) return value.as<Uri>().member(name).has_value();
    if (!value.is(Kind::Object)) return false;
    const auto& object = value.as<ObjectBase>();
    const TypePtr type = object.type();
    if (const ObjectType* known = types::object_type_of(*type))
        return known->find_attribute(name) || known->find_function(name);
    return object.attribute(name).has_value();
}

Value call_member(CallContext& context, const Value& receiver, std::string_view name,
                  std::span<const Value> arguments) {
    // Compatibility: arguments for a part of a URI are ignored.
    if (receiver.is(Kind::Uri)) return receiver.as<Uri>().member(name).value_or(Value());
    const auto& object = receiver.as<ObjectBase>();
    const TypePtr type = object.type();
    const ObjectType* known = types::object_type_of(*type);
    if (!known) return object.attribute(name).value_or(Value());
    const ObjectType::Attribute* attribute = known->find_attribute(name);
    const ObjectType::Function* function = attribute ? nullptr : known->find_function(name);
    const std::string label =
        attribute ? ObjectType::label("attribute", *attribute) : ObjectType::label("function", *function);
    check_arguments(label, attribute ? *no_arguments() : *function->type, arguments, context.block);
    if (const NativeType::Method* method = native_method(known, name))
        return method->call(context, receiver, arguments);
    if (attribute) {
        if (const auto value = object.attribute(name)) return *value;
    }
    throw EvalError("", "no method is implemented for " + std::string(attribute ? "derived " : "") + label);
}

}  // namespace volley
