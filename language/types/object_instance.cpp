#include "language/types/object_instance.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"

namespace volley {

using types::ObjectExtension;
using types::ObjectType;

ObjectInstance::ObjectInstance(Ref<const ObjectType> type, std::vector<Value> values)
    : type_(std::move(type)), parameters_(type_->init_parameters()), values_(std::move(values)) {}

/// Of a parameterized type: with the values that this instance has for the parameters.
TypePtr ObjectInstance::type() const {
    const auto parameters = type_->type_parameters();
    if (parameters.empty()) return type_;
    std::vector<Value> given;
    for (const auto* parameter : parameters) given.push_back(attribute(parameter->name).value_or(Value()));
    return make_shared_object<ObjectExtension>(type_, given);
}

std::optional<Value> ObjectInstance::attribute(std::string_view name) const {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (parameters_[i]->name == name) return values_[i];
    }
    const ObjectType::Attribute* known = type_->find_attribute(name);
    return known && known->kind == ObjectType::AttributeKind::Constant ? known->value : std::nullopt;
}

/// The attributes that differ from their defaults; those of the parent come first.
Value ObjectInstance::init_hash() const {
    std::vector<const ObjectType*> line;
    for (const ObjectType* type = type_.get(); type; type = type->parent_object()) line.push_back(type);
    HashBuilder result;
    for (auto type = line.rbegin(); type != line.rend(); ++type) {
        for (const ObjectType::Attribute& own : (*type)->own_attributes()) {
            const bool stored = own.kind != ObjectType::AttributeKind::Constant &&
                                own.kind != ObjectType::AttributeKind::Derived;
            if (!stored) continue;
            const Value value = attribute(own.name).value_or(Value());
            if (!own.value || !(*own.value == value)) result.set(Value(own.name), value);
        }
    }
    return result.build();
}

std::string ObjectInstance::text() const {
    const NestingGuard guard;
    return type_->name() + "(" + to_program_text(init_hash()) + ")";
}

bool ObjectInstance::equals(const Shared& other) const {
    const auto* that = dynamic_cast<const ObjectInstance*>(&other);
    if (!that) return false;
    bool defined = false;
    for (const ObjectType* type = type_.get(); type; type = type->parent_object()) {
        const auto names = type->equality_names();
        const bool with_type = type->adds_type_to_equality();
        if (names.empty() && !with_type) continue;
        defined = true;
        if (with_type && !type_->equals(*that->type_)) return false;
        for (const std::string& name : names) {
            const auto mine = attribute(name);
            const auto theirs = that->attribute(name);
            if (mine.has_value() != theirs.has_value() || (mine && !(*mine == *theirs))) return false;
        }
    }
    return defined || this == that;
}

std::size_t ObjectInstance::hash() const {
    std::size_t result = 0;
    for (const ObjectType* type = type_.get(); type; type = type->parent_object()) {
        for (const std::string& name : type->equality_names()) {
            if (const auto value = attribute(name)) result = result * 31 + value->hash_code();
        }
    }
    return result;
}

}  // namespace volley
