#pragma once

#include <string>

namespace volley::agent {

/// What diff -u prints of two contents of a file, with three lines of context: nothing where they are equal,
/// and one line where one is not text.
std::string unified_diff(const std::string& path, const std::string& before, const std::string& after);

}  // namespace volley::agent
