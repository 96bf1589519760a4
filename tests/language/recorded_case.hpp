#pragma once

#include <string>

#include "support/json/json.hpp"

namespace volley::tests {

/// What is different from the recorded tree or error of `one["code"]`, or nothing.
std::string compare_parse(const Json& one);
/// The same for its value, or error, and log; the code runs among `one["files"]`.
std::string compare_eval(const Json& one, const Json& all_facts);
/// The one of the two that `one["mode"]` names.
std::string compare_recorded(const Json& one, const Json& all_facts);

}  // namespace volley::tests
