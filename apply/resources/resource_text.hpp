#pragma once

#include <string>

#include "support/json/json.hpp"

namespace volley {

/// {"type": "User", "title": "root", "parameters": {...}} as Puppet code, laid out as by `puppet resource`: a
/// line for each parameter, in their order, with aligned arrows. A value that is secret is shown as Puppet
/// shows it, which is not valid code. Ends with a newline. Other kinds of JSON, which a target may send, are
/// shown somehow.
std::string resource_as_code(const Json& resource);
/// A list of them as code, one after the other.
std::string resources_as_code(const Json& resources);
/// A list of resources of one type as YAML for Hiera: {type => {title => parameters}}. As Puppet does, it
/// begins with a line of its own, "---".
std::string resources_as_yaml(const Json& resources);

}  // namespace volley
