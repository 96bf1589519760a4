#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/value.hpp"

namespace volley {

struct Resource;

/// Resources of one type by the value of one attribute, for queries like <| ensure == present |>: a collector
/// that finds a few among many needs not look at all. What it returns are candidates: a value may have
/// changed since, and each still has to be compared.
class AttributeIndex {
public:
    /// Whether the index knows what equals the value. Texts, numbers and booleans; nothing is known of the
    /// rest.
    static bool covers(const Value& wanted);
    /// Appends the resources that may have the value.
    void find(const Value& wanted, std::vector<Resource*>& found) const;
    void add(Resource& resource, const Value& value);

    std::size_t resources_known = 0;  // how many of its type
    int asked = 0;                    // how often somebody wanted it before it was made

private:
    std::unordered_map<std::string, std::vector<Resource*>> by_value_;
    std::vector<Resource*> others_;  // lists above all: one of their items may be equal
};

}  // namespace volley
