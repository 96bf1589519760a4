#pragma once

#include "language/callable.hpp"
#include "language/types/object_type.hpp"

namespace volley {

/// A value of an Object type that holds nothing but its attributes.
class ObjectInstance final : public ObjectBase {
public:
    /// `values`: one for each of the type's init_parameters(), in that order.
    ObjectInstance(Ref<const types::ObjectType> type, std::vector<Value> values);

    TypePtr type() const override;
    std::optional<Value> attribute(std::string_view name) const override;
    /// "P({'x' => 1})"
    std::string text() const override;
    Value init_hash() const override;
    bool equals(const Shared& other) const override;
    std::size_t hash() const override;

private:
    const Ref<const types::ObjectType> type_;
    const std::vector<const types::ObjectType::Attribute*> parameters_;
    const std::vector<Value> values_;
};

}  // namespace volley
