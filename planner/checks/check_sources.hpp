#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "inventory/inventory.hpp"
#include "language/evaluator/environment.hpp"
#include "planner/plan/plan_library.hpp"
#include "tasks/library.hpp"

namespace volley::planner {

/// What plans are checked against. All must outlive the check.
struct CheckSources {
    PlanLibrary& plans;
    const tasks::Library& library;
    Environment& environment;  ///< of the plans
    /// Whether a variable of that name may come from elsewhere in an apply block: facts and variables of
    /// targets. Null: nobody knows, and no variable of an apply block is called unknown.
    std::function<bool(const std::string& name)> is_catalog_variable;
    /// The inventory, asked for by plans that name targets; null where there is none to ask.
    std::function<const inventory::Inventory*()> inventory;
};

}  // namespace volley::planner
