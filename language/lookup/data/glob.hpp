#pragma once

#include <string>
#include <vector>

namespace volley::lookup {

/// The files and folders that match an absolute pattern by Ruby's rules for Dir.glob: "*", "?", "[a-z]",
/// "[^a-z]", "{a,b}", "**/" for folders at any depth, a backslash before what is meant literally. Names that
/// start with a dot match only where the pattern has one. Sorted; each alternative of "{a,b}" in turn. A
/// folder that cannot be read holds nothing. Throws LookupError for more alternatives than a pattern may
/// have.
std::vector<std::string> glob_paths(const std::string& pattern);

}  // namespace volley::lookup
