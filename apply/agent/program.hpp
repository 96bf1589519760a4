#pragma once

#include <string>
#include <vector>

namespace volley::agent {

/// `volley-agent VERB...`; the exit code of the process.
int run_program(const std::vector<std::string>& arguments);

}  // namespace volley::agent
