#pragma once

#include <span>
#include <utility>

#include "language/value.hpp"

namespace volley {

/// Values of which each is there once; equal as keys of a hash are, which is how Ruby's lists distinguish
/// their items too (1 and 1.0 are two). To ask costs the same however many there are.
class ItemSet {
public:
    ItemSet() = default;
    /// The items of a list.
    explicit ItemSet(std::span<const Value> list) {
        for (const Value& item : list) insert(item);
    }

    /// True when it was not there before.
    bool insert(Value item) {
        const std::size_t before = items_.size();
        items_.set(std::move(item), {});
        return items_.size() > before;
    }
    bool contains(const Value& item) const { return items_.contains(item); }
    std::size_t size() const noexcept { return items_.size(); }

private:
    HashBuilder items_;
};

}  // namespace volley
