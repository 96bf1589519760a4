#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::inventory {

/// No more names than this are made of one range.
constexpr std::size_t most_range_names = 100'000;

/// Whether the text between brackets is a list of numbers and ranges of them: "001-020,030".
bool is_number_list(std::string_view text) noexcept;

/// The names that folded ones stand for: "web[08-10,12]" is web08, web09, web10, web12; several brackets are
/// combined, the first varies slowest. Numbers are as wide as their range is written. nullopt when a bracket
/// holds anything else, or there is none. Throws Error bolt.inventory/validation-error for a range that runs
/// backwards and for more than most_range_names names.
std::optional<std::vector<std::string>> names_in_ranges(std::string_view text);

}  // namespace volley::inventory
