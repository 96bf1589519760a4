#pragma once

#include <cstddef>
#include <vector>

#include "planner/module_install/resolution/release.hpp"

namespace volley::modules {

/// A module that must be among the solution, with a version in that range.
struct Wanted {
    ModuleName name;
    VersionRequirement range = {};
};

struct SolverLimits {
    std::size_t steps = 200'000;  ///< versions tried; about a second
    std::size_t modules = 1'000;  ///< in one solution
};

/// Chooses one release for each wanted module and for everything that these need, so that all requirements
/// hold: the newest of the wanted ones first, in their order. A module is known by its name without the
/// owner, as its folder is; the owner of a wanted one wins over what dependencies say. The result has the
/// wanted modules first, in their order, then the others as they were found. Throws Error
/// bolt/module-resolver-error, which says what cannot be had together, also when the limits are reached.
std::vector<Release> solve(const std::vector<Wanted>& wanted, ReleaseSource& source,
                           SolverLimits limits = {});

}  // namespace volley::modules
