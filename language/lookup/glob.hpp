#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace volley::lookup {

/// The files and folders that match an absolute pattern by Ruby's rules for Dir.glob: "*", "?", "[a-z]",
/// "[^a-z]", "{a,b}", "**/" for folders at any depth, a backslash before what is meant literally. Names that
/// start with a dot match only where the pattern has one. Sorted; each alternative of "{a,b}" in turn. A
/// folder that cannot be read holds nothing.
std::vector<std::string> glob_paths(const std::string& pattern);

/// Whether one name of a path matches one part of a pattern (no "/" and no "{}").
bool glob_matches(std::string_view pattern, std::string_view name);

/// "{a,b}" written out: "x{a,b}" is "xa" and "xb".
std::vector<std::string> glob_alternatives(std::string_view pattern);

}  // namespace volley::lookup
