#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace volley::cli {

/// Where the keys of a JSON text stand, by the way to them: "/parameters/size/type" is the offset of that
/// key's quote,
/// "/files/0" that of an element. The text must be valid JSON (parse_json).
std::map<std::string, std::size_t> places_in_json(std::string_view text);

}  // namespace volley::cli
