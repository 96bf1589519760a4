#pragma once

#include <cstddef>
#include <string_view>

namespace volley::tasks {

/// True when arrays and objects in the JSON text nest deeper than `limit`. Text from targets and modules goes
/// through here before it is parsed: Ruby refuses more than 100 levels, and we recurse when we print.
bool json_depth_exceeds(std::string_view text, std::size_t limit) noexcept;

}  // namespace volley::tasks
