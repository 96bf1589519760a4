#pragma once

#include <functional>
#include <string>

#include "cli/run/session.hpp"

namespace volley::cli {

/// Whether a variable of an apply block may be a fact or a variable of a target: facts that every agent has,
/// those that modules add, and what the inventory says of its targets, which is read when it is first needed.
/// `session` must outlive the answer.
std::function<bool(const std::string& name)> catalog_variables(Session& session);

}  // namespace volley::cli
