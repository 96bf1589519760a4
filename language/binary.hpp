#pragma once

#include <functional>
#include <string>

#include "language/value.hpp"

namespace volley {

/// What a value of kind Binary holds: bytes of any kind.
class Binary final : public Shared {
public:
    explicit Binary(std::string content) : bytes(std::move(content)) {}
    const std::string bytes;
    bool equals(const Shared& other) const override {
        return bytes == static_cast<const Binary&>(other).bytes;
    }
    std::size_t hash() const override { return std::hash<std::string>{}(bytes) ^ 0xb1; }
    static Value make(std::string content) {
        return Value(Kind::Binary, make_shared_object<Binary>(std::move(content)));
    }
};

}  // namespace volley
