#pragma once

#include <string>
#include <vector>

namespace volley::cli {

/// Names that differ in one number as one: "node[001-005,007],web1". In the order of the first of each.
std::string fold_names(const std::vector<std::string>& names);

/// Up to this many targets are named one by one, as Bolt does; more are folded.
constexpr std::size_t few_targets = 10;
/// The names of a summary: separated by commas, folded when there are many.
std::string name_list(const std::vector<std::string>& names);

}  // namespace volley::cli
