#pragma once

#include "language/types/type.hpp"

namespace volley {

/// What a value of kind Callable holds: a lambda, or a function as a value.
class CallableObject : public Shared {
public:
    virtual TypePtr type() const = 0;
};

/// What a value of kind Object holds: an instance of an Object type (types/object_instance.hpp), or something
/// of a component above, whose type that component declares as a NativeType (types/native_type.hpp).
class ObjectBase : public Shared {
public:
    virtual TypePtr type() const = 0;
    /// The value of an attribute; nullopt when there is none of that name.
    virtual std::optional<Value> attribute(std::string_view name) const = 0;
    /// The value of object['name'], for objects that support it.
    virtual std::optional<Value> indexed(std::string_view name) const {
        static_cast<void>(name);
        return std::nullopt;
    }
    virtual std::string text() const = 0;
    /// What each() and the like go over, an array; undef for objects that cannot be iterated. The type shows
    /// it too (NativeType::iterable).
    virtual Value items() const { return {}; }
    /// The attributes that Type.new would need to make an equal object, by name; undef when that is not
    /// known.
    virtual Value init_hash() const { return {}; }
};

/// What a value of kind Iterator holds.
class IteratorObject : public Shared {
public:
    virtual TypePtr element_type() const = 0;
};

}  // namespace volley
