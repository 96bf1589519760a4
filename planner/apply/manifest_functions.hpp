#pragma once

#include "language/evaluator/environment.hpp"

namespace volley::planner {

/// What code of catalogs knows of plans: their types, those functions that it may call, and for the others
/// the error that they are for plans (section 7.2, column "In apply"). No part of it needs the plan that
/// runs.
void add_manifest_language(Environment& environment);
/// Whether code of catalogs may call that function of plans.
bool is_manifest_function(std::string_view name);

}  // namespace volley::planner
