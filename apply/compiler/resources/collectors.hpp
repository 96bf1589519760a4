#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "apply/compiler/resources/resource.hpp"
#include "language/value.hpp"

namespace volley {

struct Query;
using QueryPtr = std::unique_ptr<const Query>;

/// What stands between <| and |>, with its operands evaluated.
struct Query {
    enum class Kind : std::uint8_t { And, Or, Equal, Unequal, Tagged, Invalid };
    Kind kind = Kind::Equal;
    std::string_view attribute;  // of Equal and Unequal
    Value value;
    std::vector<const Tag*> tags;  // of Tagged: any of them
    QueryPtr left;
    QueryPtr right;
};

/// Type <| query |> { overrides }, or realize(references). It is asked again and again until nothing new is
/// found.
struct Collector {
    Scope* scope = nullptr;
    ResourceBucket* type = nullptr;  // null for realize()
    QueryPtr query;                  // null: all
    bool exported = false;           // <<| |>>
    bool has_overrides = false;
    std::vector<ResourceParameter> overrides;
    Origin at = {};

    std::vector<Resource*> collected;
    std::unordered_set<const Resource*> known;  // what is in `collected`
    Value empty_alternative;  // what an arrow takes instead when nothing was collected: a list of references

    std::vector<std::string> missing;  // of realize(): references that nobody declared yet
    bool done = false;

    // What was seen already, so that a look at unchanged resources is not repeated.
    std::size_t resources_seen = 0;
    std::uint64_t changes_seen = 0;
    std::uint64_t tags_seen = 0;
};

/// A collector as a value: arrows take it.
class CollectorValue final : public Shared {
public:
    explicit CollectorValue(Collector& one) : collector(one) {}
    Collector& collector;
};

/// nullptr for values that are not collectors.
Collector* as_collector(const Value& value);

}  // namespace volley
