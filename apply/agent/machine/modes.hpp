#pragma once

#include <string>
#include <string_view>

#include "apply/agent/values/value.hpp"

namespace volley::agent {

/// Octal ("644", "01777") or symbolic ("u=rw,go-w").
bool is_mode(std::string_view text);
/// Why a value of a manifest is not valid as a mode; empty when it is.
std::string fault_of_mode(const Value& value);
bool is_octal_mode(std::string_view text);
/// "0644" becomes "644"; a symbolic mode stays.
std::string normal_mode(std::string_view text);
/// With four digits at least: "0644"; a symbolic mode stays.
std::string shown_mode(std::string_view text);
std::string octal(unsigned mode);
/// The mode that a change of `current` leads to; a numeric mode is the result itself. Throws ApplyError.
unsigned changed_mode(std::string_view change, unsigned current, bool directory);

}  // namespace volley::agent
