#pragma once

#include <cstdint>
#include <string>

namespace volley {

/// The first number below `limit` that Ruby's Random returns for a seed (hexadecimal digits of any length).
std::int64_t ruby_random(const std::string& seed_digits, std::int64_t limit);

}  // namespace volley
