#pragma once

#include <string>

#include "support/json/json.hpp"

namespace volley {

/// The catalog as a graph for Graphviz: containment dotted, `before` and `require` as arrows, `notify` and
/// `subscribe` as bold ones. Takes a catalog document (Puppet's JSON). Throws Error when it is none.
std::string catalog_to_dot(const Json& catalog);

/// The catalog as one page of HTML that needs nothing else and asks no network: what contains what, with a
/// search, and for each resource its parameters and relationships. Sensitive values are left out.
std::string catalog_to_html(const Json& catalog);

}  // namespace volley
