#pragma once

#include <string>

namespace volley {

/// A variable of this process's environment; empty when it is not set.
std::string environment_variable(const char* name);

}  // namespace volley
