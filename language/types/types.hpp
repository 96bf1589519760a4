#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "language/text/regexp.hpp"
#include "language/types/type.hpp"

/// The classes of the data types. Components above need type.hpp and parse.hpp only.
namespace volley::types {

/// Undef, Default, Any, Scalar, ...: types without parameters.
class SimpleType final : public Type {
public:
    explicit SimpleType(TypeKind kind) : Type(kind) {}
    bool instance(const Value& value, TypeGuard& guard) const override;
    bool assignable(const Type& other, TypeGuard& guard) const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
};

/// Integer, Timespan and Timestamp: a range of 64-bit numbers, both ends included.
class RangeType final : public Type {
public:
    static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    RangeType(TypeKind kind, std::int64_t from, std::int64_t to);
    const std::int64_t from;  // lowest: no limit
    const std::int64_t to;    // highest: no limit
    bool unbounded() const noexcept { return from == lowest && to == highest; }
    bool finite() const noexcept { return from != lowest && to != highest; }
    bool contains(std::int64_t number) const noexcept { return number >= from && number <= to; }
    bool contains(const RangeType& other) const noexcept { return from <= other.from && to >= other.to; }
    /// As a size: nothing below 0.
    TypePtr to_size() const;
    /// One range that covers both, when they overlap or touch; else null.
    TypePtr merge(const RangeType& other) const;
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    TypePtr iterable_type() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

class FloatType final : public Type {
public:
    FloatType(double lower, double upper);
    const double from;
    const double to;
    TypePtr merge(const FloatType& other) const;
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    void print(std::string& out, const PrintOptions& options) const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

class BooleanType final : public Type {
public:
    explicit BooleanType(std::optional<bool> only) : Type(TypeKind::Boolean), value(only) {}
    const std::optional<bool> value;
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    void print(std::string& out, const PrintOptions& options) const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

/// String, String[from, to], or the type of one literal string.
class StringType final : public Type {
public:
    StringType() : Type(TypeKind::String) {}
    explicit StringType(TypePtr size);
    explicit StringType(std::string literal) : Type(TypeKind::String), value(std::move(literal)) {}
    const TypePtr size;  // a RangeType, or null
    const std::optional<std::string> value;
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    TypePtr iterable_type() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

class EnumType final : public Type {
public:
    EnumType(std::vector<std::string> words, bool ignore_case);
    const std::vector<std::string> values;  // sorted, unique
    const bool case_insensitive;
    bool has(const std::string& word) const;
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    TypePtr iterable_type() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

class RegexpType final : public Type {
public:
    RegexpType() : Type(TypeKind::Regexp) {}
    explicit RegexpType(Ref<const volley::Regexp> only) : Type(TypeKind::Regexp), regexp(std::move(only)) {}
    const Ref<const volley::Regexp> regexp;  // null: any
    bool instance(const Value& value, TypeGuard& guard) const override;
    void print(std::string& out, const PrintOptions& options) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

class PatternType final : public Type {
public:
    explicit PatternType(std::vector<Ref<const volley::Regexp>> any_of);
    const std::vector<Ref<const volley::Regexp>> patterns;
    bool matches(const std::string& text) const;
    bool instance(const Value& value, TypeGuard& guard) const override;
    void print(std::string& out, const PrintOptions& options) const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

/// Collection, Array and Hash; key and value are null for Collection, key for Array.
class CollectionType final : public Type {
public:
    CollectionType(TypeKind kind, TypePtr key_type, TypePtr value_type, TypePtr size_type);
    const TypePtr size;   // a RangeType, or null: any size
    const TypePtr key;    // Hash
    const TypePtr value;  // Array and Hash
    const RangeType& size_or_any() const;
    bool empty_only() const;
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    TypePtr normalize() const override;
    TypePtr iterable_type() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;

private:
    bool accepts_array(const Type& other, TypeGuard& guard) const;
    bool accepts_hash(const Type& other, TypeGuard& guard) const;
};

class TupleType final : public Type {
public:
    TupleType(std::vector<TypePtr> element_types, TypePtr size_type);
    const std::vector<TypePtr> types;  // the last one repeats up to the size
    const TypePtr size;                // a RangeType, or null: exactly as many as there are types
    /// The size with its default filled in.
    TypePtr size_range() const;
    const Type& at(std::size_t index) const {
        return *types[index < types.size() ? index : types.size() - 1];
    }
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    TypePtr normalize() const override;
    TypePtr iterable_type() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

class StructType final : public Type {
public:
    struct Element {
        std::string name;
        TypePtr key;  // a literal String, in Optional when it may be missing
        TypePtr value;
        bool optional() const { return key->kind() == TypeKind::Optional; }
    };
    explicit StructType(std::vector<Element> members);
    const std::vector<Element> elements;
    const Element* find(std::string_view name) const;
    std::size_t required_count() const;
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    TypePtr normalize() const override;
    TypePtr iterable_type() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

class VariantType final : public Type {
public:
    explicit VariantType(std::vector<TypePtr> choices) : Type(TypeKind::Variant), types(std::move(choices)) {}
    /// Flattens nested Variants and drops repetitions; a single choice is returned as it is.
    static TypePtr create(std::vector<TypePtr> choices);
    const std::vector<TypePtr> types;
    bool instance(const Value& value, TypeGuard& guard) const override;
    int really_instance(const Value& value, TypeGuard& guard) const override;
    bool assignable(const Type& other, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    TypePtr normalize() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;
    bool is_callable(bool optional_too) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

/// Optional, NotUndef, Type, Sensitive, Iterable, Iterator: types around one other type.
class WrapperType final : public Type {
public:
    WrapperType(TypeKind kind, TypePtr contained);
    const TypePtr type;  // null: any
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    TypePtr normalize() const override;
    TypePtr iterable_type() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;
    bool is_callable(bool optional_too) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

class CallableType final : public Type {
public:
    CallableType(TypePtr parameter_tuple, TypePtr block_type, TypePtr result_type);
    const TypePtr parameters;   // a TupleType; null: any
    const TypePtr block;        // null: none
    const TypePtr return_type;  // null: Any
    /// Spec "Callable": whether a call with these arguments (the last may be a block) is accepted.
    bool accepts_arguments(const Type& arguments) const;
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    TypePtr normalize() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;
    bool is_callable(bool) const override { return true; }

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

/// Class[name] and Type[title]; CatalogEntry itself is a SimpleType.
class CatalogType final : public Type {
public:
    /// For Class: `type_name` is the class. For Resource: the resource type and perhaps the title.
    CatalogType(TypeKind kind, std::optional<std::string> type_name,
                std::optional<std::string> resource_title, bool of_parameter = false);
    const std::optional<std::string> type_name;
    const std::optional<std::string> title;
    /// A reference that went through a resource's parameter: it shows as File[x] instead of File['x'], and is
    /// called a Resource in rich data; there is no other difference (compatibility).
    const bool from_parameter;
    bool instance(const Value& value, TypeGuard& guard) const override;
    void print(std::string& out, const PrintOptions& options) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

/// "File[/tmp/x]", "Class[Foo::Bar]": a reference as catalogs write it; empty when it has no title.
std::string reference_text(const CatalogType& type);

/// URI, or a URI of which some parts match: URI[{scheme => 'https'}].
class UriType final : public Type {
public:
    /// `wanted`: a hash of part to what it must match as in a case expression; undef: any URI.
    explicit UriType(Value wanted = {});
    const Value parameters;
    bool instance(const Value& value, TypeGuard& guard) const override;
    TypePtr generalize() const override;
    void print(std::string& out, const PrintOptions& options) const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override { return parameters == as<UriType>(other).parameters; }
};

/// Init[T, arguments]: what T.new takes, together with the arguments.
class InitType final : public Type {
public:
    InitType(TypePtr contained, std::vector<Value> init_arguments);
    const TypePtr type;  // null: any RichData
    const std::vector<Value> arguments;
    /// Whether `value` alone, and not its items one by one, is what T.new takes. Throws EvalError when T has
    /// no new.
    bool takes_whole(const Value& list) const;
    bool instance(const Value& value, TypeGuard& guard) const override;
    void print(std::string& out, const PrintOptions& options) const override;
    void for_each_contained(const std::function<void(const Type&)>& visit) const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;

private:
    struct Accepted {
        std::vector<TypePtr> single;  // the type itself, and parameters that stand alone
        std::vector<TypePtr> lists;   // Tuples of several parameters
        bool one_is_enough = false;   // some of those lists may have one item
    };
    Accepted accepted() const;
};

/// Runtime[...], TypeReference[...] and SemVer[...]: types that are their texts.
class TextType final : public Type {
public:
    TextType(TypeKind kind, std::vector<std::string> parts) : Type(kind), texts(std::move(parts)) {}
    const std::vector<std::string> texts;
    bool instance(const Value& value, TypeGuard& guard) const override;
    void print(std::string& out, const PrintOptions& options) const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;
};

/// A name for a type. May contain itself.
class AliasType final : public Type {
public:
    /// Without a meaning: resolve() sets it. Until then it is like a reference to a type that nobody knows,
    /// which takes no value and is assignable to nothing but itself: types that contain it are made while its
    /// own meaning is read.
    explicit AliasType(std::string alias_name, TypePtr meaning = {});
    std::string name() const override { return name_; }
    const Type& resolved() const;
    TypePtr resolved_ptr() const { return resolved_; }
    bool recursive() const noexcept { return recursive_; }
    /// Called once, before the alias is shared. Throws EvalError when the alias means nothing but itself.
    void resolve(TypePtr meaning);
    /// What its definition says of it for people ("@summary" of Puppet Strings); empty when it says nothing.
    const std::string& summary() const noexcept { return summary_; }
    /// Called before the alias is shared.
    void set_summary(std::string summary) { summary_ = std::move(summary); }
    bool instance(const Value& value, TypeGuard& guard) const override;
    int really_instance(const Value& value, TypeGuard& guard) const override;
    bool assignable(const Type& other, TypeGuard& guard) const override;
    TypePtr iterable_type() const override;
    void print(std::string& out, const PrintOptions& options) const override;
    bool is_callable(bool optional_too) const override;
    std::size_t hash() const override;

protected:
    bool accepts(const Type& other, TypeGuard& guard) const override;
    bool same(const Type& other) const override;

private:
    void look_for_itself();

    std::string name_;
    std::string summary_;
    TypePtr resolved_;
    bool recursive_ = false;
};

// The default of each type, and short ways to make the common ones.
TypePtr simple(TypeKind kind);
TypePtr any();
TypePtr undef();
TypePtr default_of(TypeKind kind);
TypePtr integer(std::int64_t from = RangeType::lowest, std::int64_t to = RangeType::highest);
TypePtr size_range(std::int64_t from, std::int64_t to = RangeType::highest);
TypePtr string_literal(std::string text);
TypePtr optional(TypePtr type);
TypePtr not_undef(TypePtr type);
TypePtr array_of(TypePtr element, TypePtr size = {});
TypePtr hash_of(TypePtr key, TypePtr value, TypePtr size = {});
TypePtr tuple(std::vector<TypePtr> elements, TypePtr size = {});
TypePtr variant(std::vector<TypePtr> choices);
TypePtr wrap(TypeKind kind, TypePtr contained);
TypePtr data();
TypePtr rich_data();

inline const RangeType& range(const Type& type) { return static_cast<const RangeType&>(type); }
/// The choices of a Variant.
inline const std::vector<TypePtr>& as_variant(const Type& type) {
    return static_cast<const VariantType&>(type).types;
}
/// Whether a type is among its own parts, on any way through aliases.
bool contains_itself(const Type& type);
bool equal_or_both_null(const TypePtr& a, const TypePtr& b);
bool assignable_or_any(const TypePtr& to, const Type& from, TypeGuard& guard);
/// Members in any order, as Ruby compares the sets.
bool same_members(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b);

}  // namespace volley::types
