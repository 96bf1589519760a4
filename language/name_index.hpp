#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "support/text_hash.hpp"

namespace volley {

/// Finds names in a list that somebody else keeps and that only grows: walks a short one, hashes a long one.
/// Used by one thread at a time.
class NameIndex {
public:
    /// Where `name` stands among `count` names, the first of several equal ones; `count` when it is not
    /// there. `name_at(i)` returns the i-th name, and returns the same at every call.
    template <class NameAt>
    std::size_t find(std::string_view name, std::size_t count, NameAt name_at) {
        if (count <= few) {
            std::size_t i = 0;
            while (i < count && name_at(i) != name) ++i;
            return i;
        }
        for (; known_ < count; ++known_) add(name_at);
        const std::uint32_t position = slots_[slot_of(name, hash_of(name), name_at)].position;
        return position == free ? count : position;
    }

private:
    static constexpr std::size_t few = 12;  // up to here comparing beats hashing
    static constexpr std::uint32_t free = UINT32_MAX;
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t position = free;
    };

    static std::uint32_t hash_of(std::string_view name) {
        return static_cast<std::uint32_t>(text_hash(name));
    }

    /// The slot that holds the name, or the free one where it belongs.
    template <class NameAt>
    std::size_t slot_of(std::string_view name, std::uint32_t hash, NameAt name_at) const {
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at].position != free &&
               (slots_[at].hash != hash || name_at(slots_[at].position) != name))
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    template <class NameAt>
    void add(NameAt name_at) {
        if (known_ * 2 >= slots_.size()) grow();
        const std::string_view name = name_at(known_);
        const std::uint32_t hash = hash_of(name);
        Slot& slot = slots_[slot_of(name, hash, name_at)];
        if (slot.position == free) slot = {hash, static_cast<std::uint32_t>(known_)};
    }

    void grow() {
        std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.position == free) continue;
            std::size_t at = slot.hash & (slots_.size() - 1);
            while (slots_[at].position != free) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_;  // a power of two of them, or none
    std::size_t known_ = 0;    // names that were added
};

}  // namespace volley
