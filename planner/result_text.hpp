#pragma once

#include <string>
#include <string_view>

#include "support/json.hpp"

namespace volley::planner {

/// Appends `bytes` as a JSON string in quotes; bytes that are not UTF-8 become the text \xNN (RES-019).
void append_json_string(std::string& out, std::string_view bytes);

/// The value with every string (keys too) made valid UTF-8 as in RES-019. Cheap when nothing is wrong.
Json scrubbed(Json value);

}  // namespace volley::planner
