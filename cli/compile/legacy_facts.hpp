#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "language/value.hpp"

namespace volley::cli {

/// The facts of a node as its agent would send them: with the flat facts of old (osfamily, ipaddress_eth0),
/// made from the structured ones, and those that the agent adds (clientcert, clientversion). What is there
/// stays as it is.
Value completed_facts(const Value& facts, const std::string& node);

/// Where the value of a legacy fact is now: "os.family" for "osfamily"; nullopt for other names.
std::optional<std::string> place_of_legacy_fact(std::string_view name);

}  // namespace volley::cli
