#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "apply/types/resource_type.hpp"

namespace volley {

/// Reads a resource type from the Ruby that defines it (lib/puppet/type/NAME.rb), without running it: names of
/// properties and parameters, namevars, title patterns; `Puppet::Type.newtype` and the Resource API. Whatever
/// cannot be read this way (attributes made in a loop) makes the type accept every attribute.
std::unique_ptr<const ResourceType> read_ruby_type(const std::string& name, std::string_view ruby);

}  // namespace volley
