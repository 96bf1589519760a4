#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "language/shared.hpp"
#include "language/value.hpp"

namespace volley {

class Type;
using TypePtr = Ref<const Type>;

enum class TypeKind : std::uint8_t {
    Any,
    Unit,
    Undef,
    Default,
    Scalar,
    ScalarData,
    Numeric,
    Integer,
    Float,
    Boolean,
    String,
    Enum,
    Pattern,
    Regexp,
    SemVer,
    SemVerRange,
    Timespan,
    Timestamp,
    Binary,
    Uri,
    Collection,
    Array,
    Hash,
    Tuple,
    Struct,
    Variant,
    Optional,
    NotUndef,
    Type,
    Sensitive,
    Callable,
    CatalogEntry,
    Class,
    Resource,
    Iterable,
    Iterator,
    Init,
    Runtime,
    Reference,
    Alias,
    Object,
    ObjectExtension,
    TypeSet,
};

/// Stops endless recursion through aliases that contain themselves. One for each question that is asked.
class TypeGuard {
public:
    enum State : unsigned { None = 0, InThis = 1, InThat = 2, InBoth = 3 };
    /// Notes that `type` is being worked on; true when it was already, on this path.
    bool enter_this(const void* type) { return !this_.insert(type).second; }
    void leave_this(const void* type) { this_.erase(type); }
    bool enter_that(const void* type) { return !that_.insert(type).second; }
    /// The same for "is this value an instance of this alias".
    bool enter_value(const void* type, std::size_t value) { return !values_.insert({type, value}).second; }
    void leave_value(const void* type, std::size_t value) { values_.erase({type, value}); }
    unsigned state = None;

private:
    std::set<std::pair<const void*, std::size_t>> values_;
    std::unordered_set<const void*> this_;
    std::unordered_set<const void*> that_;
};

/// Distinguishes the values on one path: by their object, or by their content when they have none.
inline std::size_t value_identity(const Value& value) {
    return value.shared() ? reinterpret_cast<std::size_t>(value.shared()) : value.hash_code();
}

struct PrintOptions {
    bool expand_aliases = false;  // "MyInt = Integer[1]" instead of "MyInt"
};

/// A data type. Immutable; aliases are resolved before anybody else sees them.
/// Spec "Data types".
class Type : public Shared {
public:
    TypeKind kind() const noexcept { return kind_; }
    /// The name without parameters; an alias's or object type's own name.
    virtual std::string name() const;
    virtual bool instance(const Value& value, TypeGuard& guard) const = 0;
    /// 1 when it is an instance, 0 when that leads back to the question itself, -1 when not.
    virtual int really_instance(const Value& value, TypeGuard& guard) const {
        return instance(value, guard) ? 1 : -1;
    }
    /// True when every instance of `other` is one of this type.
    virtual bool assignable(const Type& other, TypeGuard& guard) const;
    /// The type without what is specific to values: ranges, sizes, literal strings.
    virtual TypePtr generalize() const { return self(); }
    /// An equivalent, simpler type.
    virtual TypePtr normalize() const { return self(); }
    virtual void print(std::string& out, const PrintOptions& options) const;
    /// print() for a type inside of another one. Throws EvalError when the text is longer than programs may
    /// make: types that are small in memory may be endless as text.
    void print_inside(std::string& out, const PrintOptions& options) const;
    /// The Iterable type that this type's values are, where they can be iterated over; else null.
    virtual TypePtr iterable_type() const { return {}; }
    virtual void for_each_contained(const std::function<void(const Type&)>&) const {}
    virtual bool is_callable(bool optional_too = true) const {
        static_cast<void>(optional_too);
        return false;
    }
    bool equals(const Shared& other) const override;
    std::size_t hash() const override { return static_cast<std::size_t>(kind_) * 7919; }
    TypePtr self() const { return TypePtr(this); }

protected:
    explicit Type(TypeKind kind) : kind_(kind) {}
    /// Whether a type that is not an alias, Variant, Optional, NotUndef or Unit is assignable.
    virtual bool accepts(const Type& other, TypeGuard& guard) const = 0;
    /// `other` is of the same kind.
    virtual bool same(const Type& other) const {
        static_cast<void>(other);
        return true;
    }

private:
    TypeKind kind_;
};

template <class T>
const T& as(const Type& type) {
    return static_cast<const T&>(type);
}

bool is_instance(const Type& type, const Value& value);
/// True when every value of type `from` is one of type `to`.
bool is_assignable(const Type& to, const Type& from);
bool same_type(const Type& a, const Type& b);

/// As Puppet prints it: Optional[String[1]].
std::string to_string(const Type& type);
/// What a program sees when it prints the type: an alias or Object type itself with its meaning, those inside
/// other types by their names.
std::string to_display_string(const Type& type);
/// The same with the meaning of aliases: "MyInt = Integer[1]".
std::string to_expanded_string(const Type& type);

/// The type of a value, with elements reduced to their common type: [1, 'a'] is Array[ScalarData, 2, 2].
TypePtr infer(const Value& value);
/// The exact type of a value: [1, 'a'] is Tuple[Integer[1, 1], String].
TypePtr infer_set(const Value& value);
/// The narrowest type that both are assignable to, by Puppet's rules.
TypePtr common_type(const TypePtr& a, const TypePtr& b);

}  // namespace volley
