#include "language/types/object_type.hpp"

#include <algorithm>

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/native_type.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "language/types/types_of_types.hpp"

namespace volley::types {
namespace {

using Attribute = ObjectType::Attribute;

/// Adds members to those of the parent; one of the same name takes the parent's place.
void merge_members(std::vector<const Attribute*>& all, const std::vector<Attribute>& more) {
    for (const Attribute& attribute : more) {
        const auto same_name = std::find_if(all.begin(), all.end(), [&attribute](const Attribute* known) {
            return known->name == attribute.name;
        });
        if (same_name == all.end())
            all.push_back(&attribute);
        else
            *same_name = &attribute;
    }
}

template <class Members>
auto find_member(const Members& members, std::string_view name) {
    return std::find_if(members.begin(), members.end(),
                        [name](const auto& member) { return member.name == name; });
}

bool same_members_in_order(const std::vector<Attribute>& a, const std::vector<Attribute>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Attribute& one, const Attribute& two) {
        return one.name == two.name && one.type->equals(*two.type) && one.kind == two.kind &&
               one.overrides == two.overrides && one.final == two.final && one.value == two.value;
    });
}

}  // namespace

const ObjectType* object_type_of(const Type& type) {
    const Type* meaning = &type;
    while (meaning->kind() == TypeKind::Alias) meaning = &as<AliasType>(*meaning).resolved();
    if (meaning->kind() == TypeKind::ObjectExtension) return as<ObjectExtension>(*meaning).base.get();
    return meaning->kind() == TypeKind::Object ? &as<ObjectType>(*meaning) : nullptr;
}

const ObjectType* ObjectType::parent_object() const { return parent_ ? object_type_of(*parent_) : nullptr; }

std::vector<const Attribute*> ObjectType::attributes() const {
    const NestingGuard guard;
    std::vector<const Attribute*> all;
    if (const ObjectType* parent = parent_object()) all = parent->attributes();
    merge_members(all, attributes_);
    return all;
}

std::vector<const Attribute*> ObjectType::type_parameters() const {
    const NestingGuard guard;
    std::vector<const Attribute*> all;
    if (const ObjectType* parent = parent_object()) all = parent->type_parameters();
    merge_members(all, parameters_);
    return all;
}

const Attribute* ObjectType::find_attribute(std::string_view name) const {
    for (const ObjectType* type = this; type; type = type->parent_object()) {
        const auto found = find_member(type->attributes_, name);
        if (found != type->attributes_.end()) return &*found;
    }
    return nullptr;
}

const ObjectType::Function* ObjectType::find_function(std::string_view name) const {
    for (const ObjectType* type = this; type; type = type->parent_object()) {
        const auto found = find_member(type->functions_, name);
        if (found != type->functions_.end()) return &*found;
    }
    return nullptr;
}

std::vector<const Attribute*> ObjectType::init_parameters() const {
    std::vector<const Attribute*> all = attributes();
    std::erase_if(all, [](const Attribute* attribute) {
        return attribute->kind == AttributeKind::Constant || attribute->kind == AttributeKind::Derived;
    });
    std::stable_partition(all.begin(), all.end(),
                          [](const Attribute* attribute) { return !attribute->has_default(); });
    return all;
}

TypePtr ObjectType::init_hash_type() const {
    HashBuilder members;
    for (const Attribute* attribute : attributes()) {
        if (attribute->kind == AttributeKind::Constant || attribute->kind == AttributeKind::Derived) continue;
        const TypePtr key = string_literal(attribute->name);
        if (attribute->has_default())
            members.set(Value(optional(key)), Value(attribute->type));
        else
            members.set(Value(attribute->name), Value(attribute->type));
    }
    return struct_from(members.build().as_hash());
}

std::vector<std::string> ObjectType::equality_names() const {
    if (equality_) return *equality_;
    std::vector<std::string> names;
    for (const Attribute& attribute : attributes_) {
        if (attribute.kind != AttributeKind::Constant && attribute.kind != AttributeKind::Derived)
            names.push_back(attribute.name);
    }
    return names;
}

bool ObjectType::adds_type_to_equality() const {
    const ObjectType* parent = parent_object();
    return equality_include_type_ && !(parent && parent->equality_include_type_);
}

bool ObjectType::is_default() const {
    return name_.empty() && !parent_ && attributes_.empty() && functions_.empty() && parameters_.empty();
}

bool ObjectType::instance(const Value& value, TypeGuard& guard) const {
    // Compatibility: types are objects of Puppet's own model; a reference in a parameter is none.
    if (value.is(Kind::Type)) {
        const TypePtr type = value.as_type();
        if (name_.starts_with("Pcore::")) {
            const TypePtr own = type_of_type(*type);
            return own && assignable(*own, guard);
        }
        return is_default() && !(type->kind() == TypeKind::Resource && as<CatalogType>(*type).from_parameter);
    }
    return value.is(Kind::Object) && assignable(*value.as<ObjectBase>().type(), guard);
}

bool ObjectType::accepts(const Type& other, TypeGuard& guard) const {
    const NestingGuard nesting;
    if (other.kind() == TypeKind::ObjectExtension) return assignable(*as<ObjectExtension>(other).base, guard);
    if (other.kind() != TypeKind::Object) return false;
    if (is_default() || equals(other)) return true;
    const TypePtr& parent = as<ObjectType>(other).parent_;
    return parent && assignable(*parent, guard);
}

bool ObjectType::same(const Type& other) const {
    const auto& that = as<ObjectType>(other);
    // A named type contains itself at most through its name, so comparing the names ends any recursion.
    if (name_ != that.name_ || !equal_or_both_null(parent_, that.parent_)) return false;
    if (!name_.empty() && native_ == that.native_ && native_) return true;
    const bool same_functions =
        std::equal(functions_.begin(), functions_.end(), that.functions_.begin(), that.functions_.end(),
                   [](const Function& a, const Function& b) {
                       return a.name == b.name && a.type->equals(*b.type) && a.final == b.final;
                   });
    return same_functions && same_members_in_order(parameters_, that.parameters_) &&
           same_members_in_order(attributes_, that.attributes_) && equality_ == that.equality_ &&
           checks_ == that.checks_;
}

TypePtr ObjectType::iterable_type() const {
    if (native_ && native_->iterable) return wrap(TypeKind::Iterable, any());
    return parent_ ? parent_->iterable_type() : TypePtr();
}

bool ObjectType::is_callable(bool optional_too) const {
    return parent_ && parent_->is_callable(optional_too);
}

void ObjectType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    if (parent_) visit(*parent_);
    for (const Attribute& parameter : parameters_) visit(*parameter.type);
    for (const Attribute& attribute : attributes_) visit(*attribute.type);
    for (const Function& function : functions_) visit(*function.type);
}

std::size_t ObjectType::hash() const { return Type::hash() ^ std::hash<std::string>{}(name_); }

std::string_view ObjectType::kind_name(AttributeKind kind) {
    static constexpr std::string_view names[] = {"", "constant", "derived", "given_or_derived", "reference"};
    return names[static_cast<std::size_t>(kind)];
}

std::string ObjectType::label(std::string_view feature, const Member& member) {
    return std::string(feature) + " " + member.container->name() + "[" + member.name + "]";
}

}  // namespace volley::types
