#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace volley::agent {

/// "512 bytes", "1.50 KiB", "23.54 GiB".
std::string human_bytes(std::uint64_t bytes);
/// "2.45 GHz"; empty for 0.
std::string human_hertz(std::uint64_t hertz);
/// "12.34%", of a whole that is not 0.
std::string percentage(std::uint64_t part, std::uint64_t whole);
/// The number at the beginning of a text; 0 when there is none, the largest for one that 64 bits cannot hold.
std::uint64_t leading_number(std::string_view text);

}  // namespace volley::agent
