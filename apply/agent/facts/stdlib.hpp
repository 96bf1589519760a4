#pragma once

#include "support/json/json.hpp"

namespace volley::agent {

/// The facts that the Ruby of the module stdlib finds and other modules read: root_home, package_provider and
/// service_provider, which are what resources without a `provider` get on this machine.
Json stdlib_facts();

}  // namespace volley::agent
