#pragma once

#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/types/object_type.hpp"
#include "language/value.hpp"

namespace volley {

struct CallContext;

/// An Object type whose instances are C++ objects (subclasses of ObjectBase, or plain ObjectInstances): what
/// a component above makes known to programs, such as a plan's Target and Result.
struct NativeType {
    /// A function of the object, or the reader of a derived attribute. The arguments have been checked.
    struct Method {
        std::string_view name;
        Value (*call)(CallContext& context, const Value& self, std::span<const Value> arguments);
    };
    /// Makes an instance from the attributes that were given, by name and already checked. Attributes that
    /// were left out are not in the hash.
    using Create = Value (*)(CallContext& context, const Hash& given);

    std::string_view name;  // "Target"
    /// What stands between the braces of Object[{...}], in the language: "attributes => {...}, functions =>
    /// {...}". May name other types of the same NativeTypes. Read at first use.
    std::string_view interface;
    std::vector<Method> methods = {};
    Create create = nullptr;  // null: instances hold just their attributes
    bool instances = true;    // false: Type.new is an error, only C++ makes them
    bool named = true;        // false: Type.new takes the attributes by position only
    bool iterable = false;    // instances can be iterated over (ObjectBase::items)
};

/// The native types of one component. Safe to use from several threads.
class NativeTypes {
public:
    /// They live until the process ends: types that name themselves in a method's signature hold each other,
    /// so that destroying them would free nothing.
    static const NativeTypes& make(std::vector<const NativeType*> types);
    NativeTypes(const NativeTypes&) = delete;
    NativeTypes& operator=(const NativeTypes&) = delete;
    /// The type of that name (any case), or null.
    TypePtr find(std::string_view name) const;
    /// The same for a name that must be there, as it is written in the declaration.
    const TypePtr& type(std::string_view name) const;
    /// Of all of them, as they were declared.
    std::vector<std::string_view> names() const;

private:
    explicit NativeTypes(std::vector<const NativeType*> types);
    void read() const;

    const std::vector<const NativeType*> declared_;
    mutable std::once_flag once_;
    mutable std::unordered_map<std::string, TypePtr> known_;  // by name in lower case
};

}  // namespace volley
