#include <algorithm>

#include "language/conversion/creators.hpp"
#include "language/errors.hpp"
#include "language/types/native_type.hpp"
#include "language/types/object_instance.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

using types::ObjectType;
using Parameters = std::vector<const ObjectType::Attribute*>;

bool may_be_missing(const ObjectType::Attribute& attribute) {
    return attribute.has_default() || is_assignable(*attribute.type, *types::undef());
}

std::size_t required_count(const Parameters& parameters) {
    return static_cast<std::size_t>(
        std::count_if(parameters.begin(), parameters.end(),
                      [](const ObjectType::Attribute* parameter) { return !may_be_missing(*parameter); }));
}

/// What Type.new accepts: the attributes by name in one hash, or one by one.
std::vector<Signature> object_signatures(const ObjectType& type, const Parameters& parameters) {
    const auto callable = [](std::vector<TypePtr> list, std::size_t low, std::vector<std::string> names) {
        const auto size =
            types::size_range(static_cast<std::int64_t>(low), static_cast<std::int64_t>(list.size()));
        const TypePtr arguments = types::tuple(std::move(list), size);
        return Signature{make_shared_object<types::CallableType>(arguments, TypePtr(), TypePtr()),
                         std::move(names)};
    };
    std::vector<TypePtr> list;
    std::vector<std::string> names;
    for (const ObjectType::Attribute* parameter : parameters) {
        list.push_back(parameter->type);
        names.push_back(parameter->name);
    }
    return {callable({type.init_hash_type()}, 1, {"hash"}),
            callable(std::move(list), required_count(parameters), std::move(names))};
}

bool accepts_each(const Parameters& parameters, std::span<const Value> arguments) {
    if (arguments.size() < required_count(parameters) || arguments.size() > parameters.size()) return false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!is_instance(*parameters[i]->type, arguments[i])) return false;
    }
    return true;
}

Value make_object(CallContext& context, const ObjectType& type, const Parameters& parameters,
                  const Hash& given) {
    for (const ObjectType* maker = &type; maker; maker = maker->parent_object()) {
        if (maker->native() && maker->native()->create) return maker->native()->create(context, given);
    }
    std::vector<Value> values;
    for (const ObjectType::Attribute* parameter : parameters) {
        const Value* value = given.find(parameter->name);
        values.push_back(value ? *value : parameter->value.value_or(Value()));
    }
    return Value(Kind::Object,
                 make_shared_object<ObjectInstance>(Ref<const ObjectType>(&type), std::move(values)));
}

}  // namespace

std::vector<Signature> object_signatures(const ObjectType& type) {
    return object_signatures(type, type.init_parameters());
}

Value create_object(CallContext& context, const ObjectType& type, std::span<const Value> arguments) {
    const Parameters parameters = type.init_parameters();
    if (type.native() && !type.native()->instances) {
        throw EvalError("", "Creation of new instance of type '" + type.name() + "' is not supported");
    }
    const bool named = !type.native() || type.native()->named;
    if (!named && arguments.empty()) throw EvalError("", "wrong number of arguments (given 0, expected 1)");
    if (named && arguments.size() == 1 && is_instance(*type.init_hash_type(), arguments[0]))
        return make_object(context, type, parameters, arguments[0].as_hash());
    if (!accepts_each(parameters, arguments)) {
        std::vector<TypePtr> given;
        for (const Value& argument : arguments) given.push_back(infer_set(argument));
        const TypePtr tuple =
            given.empty() ? types::tuple({}, types::size_range(0, 0)) : types::tuple(std::move(given));
        std::vector<Signature> signatures = object_signatures(type, parameters);
        if (!named) signatures.erase(signatures.begin());
        throw EvalError("", describe_signatures("new_" + type.name(), signatures, tuple));
    }
    HashBuilder given;
    for (std::size_t i = 0; i < arguments.size(); ++i) given.set(Value(parameters[i]->name), arguments[i]);
    const Value by_name = given.build();
    return make_object(context, type, parameters, by_name.as_hash());
}

}  // namespace volley
