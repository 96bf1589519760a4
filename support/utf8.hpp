#pragma once

#include <cstdint>
#include <string>

namespace volley {

/// Adds a code point, below 0x110000, as UTF-8.
void append_utf8(std::string& out, std::uint32_t code);

}  // namespace volley
