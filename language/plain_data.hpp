#pragma once

#include <algorithm>

#include "language/errors.hpp"
#include "language/value.hpp"

namespace volley {

/// Whether a value is data of the simplest kinds, through and through: undef, default, Booleans, numbers,
/// texts, and lists and hashes of them whose keys `key_allowed` accepts. Looks at every item; makes nothing.
template <class KeyAllowed>
bool is_plain_data(const Value& value, const KeyAllowed& key_allowed) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Undef:
        case Kind::Default:
        case Kind::Boolean:
        case Kind::Integer:
        case Kind::Float:
        case Kind::String:
            return true;
        case Kind::Array: {
            const Array& items = value.as_array();
            return std::all_of(items.begin(), items.end(),
                               [&](const Value& item) { return is_plain_data(item, key_allowed); });
        }
        case Kind::Hash:
            for (const auto& entry : value.as_hash()) {
                if (!key_allowed(entry.key) || !is_plain_data(entry.value, key_allowed)) return false;
            }
            return true;
        default:
            return false;
    }
}

}  // namespace volley
