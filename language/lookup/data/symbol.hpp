#pragma once

#include <string>

#include "language/callable.hpp"

namespace volley::lookup {

/// A Ruby symbol, as YAML data may hold (":name") and Hiera's context returns for the environment. The
/// language cannot do anything with one, and a lookup that finds one fails. Compatibility.
class Symbol final : public ObjectBase {
public:
    explicit Symbol(std::string name) : name_(std::move(name)) {}
    static Value make(std::string name);
    /// The text of a value that is a symbol; nullptr for others.
    static const std::string* name_of(const Value& value);

    TypePtr type() const override;
    std::optional<Value> attribute(std::string_view) const override { return std::nullopt; }
    std::string text() const override { return name_; }
    bool equals(const Shared& other) const override;
    std::size_t hash() const override;

private:
    std::string name_;
};

}  // namespace volley::lookup
