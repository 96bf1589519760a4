#pragma once

#include <cstddef>
#include <string>

#include "apply/agent/transaction/run.hpp"

namespace volley::agent {

/// Whether a folder may have that many entries below it. `most`: more are an error; 0 warns above 1000; -1
/// takes any number. Throws ApplyError.
void check_entry_count(Run& run, const std::string& folder, std::size_t count, long most);

}  // namespace volley::agent
