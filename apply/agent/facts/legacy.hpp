#pragma once

#include "apply/agent/facts/host.hpp"
#include "support/json/json.hpp"

namespace volley::agent {

/// The facts that Facter hides and Puppet 7 still sends, as "osfamily" and "ipaddress_eth0": other names for
/// what structured facts hold. `facts` are those.
Json legacy_facts(const FactHost& host, const Json& facts);

}  // namespace volley::agent
