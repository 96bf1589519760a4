#pragma once

#include <string>

#include "language/value.hpp"

namespace volley {

/// The settings of Puppet 7 with their defaults, for $settings::NAME of a node.
void set_setting_defaults(HashBuilder& values, const std::string& certname);

}  // namespace volley
