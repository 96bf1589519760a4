#pragma once

#include <string>

namespace volley {

/// Compares version numbers as package managers do: -1, 0 or 1. With `ignore_trailing_zeroes` 1.0 is 1.
int version_compare(std::string a, std::string b, bool ignore_trailing_zeroes);

}  // namespace volley
