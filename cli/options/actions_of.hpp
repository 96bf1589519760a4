#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace volley::cli {

/// The actions of a noun, in the order of its verbs; none for a verb that stands alone.
std::vector<std::string> actions_of(std::string_view noun);

}  // namespace volley::cli
