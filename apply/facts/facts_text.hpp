#pragma once

#include <string>

#include "support/json/json.hpp"

namespace volley {

/// Facts as `facter` prints them: a line "name => value" each, hashes and lists over several lines, texts
/// without quotes where they stand alone. Ends with a newline; nothing for no facts.
std::string facts_as_text(const Json& facts);
/// The value of one fact as `facter NAME` prints it: a text as it is, nothing for null.
std::string fact_as_text(const Json& value);

}  // namespace volley
