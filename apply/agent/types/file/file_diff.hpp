#pragma once

#include <string>

namespace volley::agent {

/// What diff -u prints of two contents of a file, with three lines of context. One line where one of them is
/// not text.
std::string unified_diff(const std::string& path, const std::string& before, const std::string& after);

}  // namespace volley::agent
