#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "inventory/inventory.hpp"
#include "inventory/state.hpp"

namespace volley::inventory {

/// The targets that a list of terms stands for (section 4.5): names, groups, patterns, ranges and sets are
/// united in order of mention; then those that are not in each "&x" go, then those in each "!x" or "-x",
/// wherever in the list these stand.
class Selection {
public:
    Selection(Inventory::State& state, TargetSyntax syntax, UnknownNames unknown)
        : state_(state), syntax_(syntax), unknown_(unknown) {}

    void add(TargetId id);
    /// Throws Error bolt.inventory/wildcard-error, bolt/parse-error, bolt.inventory/validation-error.
    void add(std::string_view list);
    /// The result. Throws as add() does, also for a list that only takes targets away.
    std::vector<TargetId> finish();

private:
    struct Narrowing {
        std::string term;
        bool keeps = false;  // "&x", else "!x"
    };
    void add_term(std::string_view term);

    Inventory::State& state_;
    TargetSyntax syntax_;
    UnknownNames unknown_;
    std::vector<TargetId> chosen_;
    std::unordered_set<TargetId> seen_;
    std::vector<Narrowing> narrowings_;
    bool names_some_ = false;
};

/// What one name, pattern, range or set stands for (INV-061).
std::vector<TargetId> resolve_name(Inventory::State& state, std::string_view name, TargetSyntax syntax,
                                   UnknownNames unknown);

}  // namespace volley::inventory
