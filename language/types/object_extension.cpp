#include <algorithm>

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/evaluator/match.hpp"
#include "language/text/text.hpp"
#include "language/types/mismatch.hpp"
#include "language/types/object_type.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

void check_parameter(const ObjectType::Attribute& parameter, const Value& value) {
    if (is_instance(*parameter.type, value)) return;
    throw EvalError("", describe_mismatch(ObjectType::label("type_parameter", parameter) + " has wrong type,",
                                          parameter.type, infer_set(value)));
}

}  // namespace

ObjectExtension::ObjectExtension(Ref<const ObjectType> base_type, const std::vector<Value>& given)
    : Type(TypeKind::ObjectExtension), base(std::move(base_type)) {
    const auto declared = base->type_parameters();
    if (declared.empty())
        throw EvalError("", "The " + base->name() + "-Type cannot be parameterized using []");
    const auto add = [this](const ObjectType::Attribute& parameter, const Value& value) {
        if (value.is(Kind::Default)) return;
        check_parameter(parameter, value);
        parameters_.emplace_back(parameter.name, value);
    };
    const bool by_name =
        given.size() == 1 && given[0].is_hash() && !is_instance(*declared[0]->type, given[0]);
    if (by_name) {
        for (const auto& entry : given[0].as_hash()) {
            const auto found = std::find_if(
                declared.begin(), declared.end(), [&entry](const ObjectType::Attribute* parameter) {
                    return entry.key.is_string() && parameter->name == entry.key.as_string();
                });
            if (found == declared.end())
                throw EvalError("", "'" + to_text(entry.key) + "' is not a known type parameter for " +
                                        base->name() + "-Type");
            add(**found, entry.value);
        }
    } else {
        for (std::size_t i = 0; i < std::min(declared.size(), given.size()); ++i) add(*declared[i], given[i]);
    }
    if (parameters_.empty()) {
        throw EvalError(
            "", "The " + base->name() + "-Type cannot be parameterized using an empty parameter list");
    }
}

const Value* ObjectExtension::find(std::string_view wanted) const {
    for (const auto& [known, value] : parameters_) {
        if (known == wanted) return &value;
    }
    return nullptr;
}

bool ObjectExtension::instance(const Value& value, TypeGuard& guard) const {
    if (!base->instance(value, guard)) return false;
    const auto& object = value.as<ObjectBase>();
    return std::all_of(parameters_.begin(), parameters_.end(), [&object](const auto& parameter) {
        const auto attribute = object.attribute(parameter.first);
        return attribute && case_matches(*attribute, parameter.second);
    });
}

bool ObjectExtension::accepts(const Type& other, TypeGuard& guard) const {
    if (other.kind() != TypeKind::ObjectExtension) return false;  // what has no parameters matches none
    const auto& that = as<ObjectExtension>(other);
    if (!base->assignable(*that.base, guard)) return false;
    return std::all_of(parameters_.begin(), parameters_.end(), [&](const auto& parameter) {
        const Value* given = that.find(parameter.first);
        if (!given) return false;
        if (case_matches(*given, parameter.second)) return true;
        return given->is(Kind::Type) && parameter.second.is(Kind::Type) &&
               is_assignable(*parameter.second.as_type(), *given->as_type());
    });
}

bool ObjectExtension::same(const Type& other) const {
    const auto& that = as<ObjectExtension>(other);
    return base->equals(*that.base) && parameters_.size() == that.parameters_.size() &&
           std::all_of(parameters_.begin(), parameters_.end(), [&that](const auto& parameter) {
               const Value* value = that.find(parameter.first);
               return value && *value == parameter.second;
           });
}

/// Up to two parameters are printed by position, more by name.
void ObjectExtension::print(std::string& out, const PrintOptions&) const {
    const auto declared = base->type_parameters();
    out += base->name() + "[";
    if (declared.size() > 2) {
        HashBuilder named;
        for (const auto& [key, value] : parameters_) named.set(Value(key), value);
        out += to_program_text(named.build()) + "]";
        return;
    }
    std::vector<std::string> texts;
    std::size_t used = 0;
    for (const auto* parameter : declared) {
        const Value* value = find(parameter->name);
        texts.push_back(value ? to_program_text(*value) : "default");
        if (value) used = texts.size();
    }
    for (std::size_t i = 0; i < used; ++i) out += (i == 0 ? "" : ", ") + texts[i];
    out += "]";
}

}  // namespace volley::types
