#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/types/type.hpp"

namespace volley {
struct NativeType;
}

namespace volley::types {

/// A type with attributes and functions. Spec "Object".
/// While its own definition is read it is known already but still empty, so that it may refer to itself.
class ObjectType final : public Type {
public:
    enum class AttributeKind { Normal, Constant, Derived, GivenOrDerived, Reference };

    /// What attributes, type parameters and functions have in common.
    struct Member {
        std::string name;
        TypePtr type;
        bool overrides = false;
        bool final = false;
        Value annotations;                      // a hash, or undef
        const ObjectType* container = nullptr;  // the type that declares it
    };
    struct Attribute : Member {
        AttributeKind kind = AttributeKind::Normal;
        std::optional<Value> value;  // the default, or the value of a constant
        bool has_default() const { return value.has_value(); }
    };
    struct Function : Member {};

    explicit ObjectType(std::string type_name) : Type(TypeKind::Object), name_(std::move(type_name)) {}

    /// Takes what stands in Object[...]. Called once, before anybody else sees the type. Throws EvalError, in
    /// Puppet's words, for a definition that makes no sense.
    void define(const volley::Hash& definition);
    /// The C++ side of a type that a component above has declared.
    void set_native(const NativeType& native) noexcept { native_ = &native; }
    const NativeType* native() const noexcept { return native_; }

    std::string name() const override { return name_.empty() ? "Object" : name_; }
    const TypePtr& parent() const noexcept { return parent_; }
    /// The parent when that is an Object type, looking through aliases; else null.
    const ObjectType* parent_object() const;
    const std::vector<Attribute>& own_attributes() const noexcept { return attributes_; }
    const std::vector<Function>& own_functions() const noexcept { return functions_; }
    /// Annotation type => attributes, as it was declared; undef when it was not.
    const Value& annotations() const noexcept { return annotations_; }
    /// With the inherited ones; an attribute that is overridden keeps the place of the inherited one.
    std::vector<const Attribute*> attributes() const;
    std::vector<const Attribute*> type_parameters() const;
    /// Own or inherited; nullptr when there is none.
    const Attribute* find_attribute(std::string_view name) const;
    const Function* find_function(std::string_view name) const;
    /// What Type.new takes: attributes without a default first.
    std::vector<const Attribute*> init_parameters() const;
    /// The Struct that describes the hash which Type.new takes.
    TypePtr init_hash_type() const;
    /// The names that == compares, of this type alone.
    std::vector<std::string> equality_names() const;
    /// Whether this type, and not one that it inherits from, makes == compare the types.
    bool adds_type_to_equality() const;
    bool parameterized() const { return !type_parameters().empty(); }

    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr iterable_type() const override;
    bool is_callable(bool optional_too) const override;
    void print(std::string& out, const PrintOptions& options) const override;
    /// Its definition as it stands inside a TypeSet, where the name is that of the entry.
    void print_without_name(std::string& out) const { print_definition(out, false); }
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;
    std::size_t hash() const override;

    static std::string_view kind_name(AttributeKind kind);
    /// "attribute P[x]", "function P[f]", "type_parameter P[t]"
    static std::string label(std::string_view feature, const Member& member);

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;

private:
    friend class ObjectDefinition;
    bool is_default() const;
    void print_definition(std::string& out, bool with_name) const;

    std::string name_;
    TypePtr parent_;
    std::vector<Attribute> parameters_;
    std::vector<Attribute> attributes_;  // in the order of their definition, constants last
    std::vector<Function> functions_;
    std::optional<std::vector<std::string>> equality_;
    bool equality_include_type_ = true;
    Value checks_;
    Value annotations_;
    const NativeType* native_ = nullptr;
};

/// An Object type with values for its type parameters: P[3]. Instances must have attributes that match them.
class ObjectExtension final : public Type {
public:
    /// `given` is what stands in the brackets. Throws EvalError in Puppet's words.
    ObjectExtension(Ref<const ObjectType> base_type, const std::vector<Value>& given);
    const Ref<const ObjectType> base;
    std::string name() const override { return base->name(); }
    /// Name and value of the parameters that were given.
    const std::vector<std::pair<std::string, Value>>& parameters() const noexcept { return parameters_; }
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override { return base; }
    void print(std::string& out, const PrintOptions& options) const override;
    std::size_t hash() const override { return base->hash(); }

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;

private:
    const Value* find(std::string_view name) const;
    std::vector<std::pair<std::string, Value>> parameters_;
};

/// The Object type of a type: itself, that of a parameterized one, or that of an alias; null for others.
const ObjectType* object_type_of(const Type& type);

}  // namespace volley::types
