#pragma once

#include <string_view>

namespace volley {

/// The Puppet that catalogs, facts and reports are made as by: the facts puppetversion and clientversion.
inline constexpr std::string_view puppet_version = "7.23.0";

}  // namespace volley
