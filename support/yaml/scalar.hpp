#pragma once

#include <string_view>

#include "support/json/json.hpp"
#include "support/yaml/document.hpp"

namespace volley::yaml {

/// What a plain scalar stands for: Null, Boolean, Integer, Float or String, by the rules of Ruby's Psych.
/// Dates, times and symbols stay strings.
Kind resolve_plain(std::string_view text) noexcept;

/// The value of a scalar that has been resolved to `kind`. An integer that 64 bits cannot hold becomes a
/// float.
Json scalar_value(Kind kind, std::string_view text);

/// The value of a scalar that resolve_plain called Boolean.
bool boolean_value(std::string_view text) noexcept;

}  // namespace volley::yaml
