#pragma once

#include <string>
#include <string_view>

namespace volley::transports {

// What every kind of shell warns of in the same words. Each can be switched off by its name
// (disable-warnings).

/// large_parameter: a parameter stays out of the environment of a task, which can read it from standard
/// input.
void warn_of_large_parameter(const std::string& variable, const std::string& target);
/// skip_cleanup: the temporary directory stays, as the options ask.
void warn_of_kept_directory(std::string_view directory, const std::string& target);

}  // namespace volley::transports
