#pragma once

#include <cstdint>
#include <string_view>

namespace volley::journal {

/// CRC-32C (Castagnoli) of a text in pieces: `sum` is what the pieces before it had, 0 for the first one.
/// Processors compute it themselves, at the speed of their memory.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t sum = 0) noexcept;
/// The same without the processor's own instruction.
std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t sum = 0) noexcept;

/// CRC-32 as in zlib and gzip, which the first version of the journal had.
std::uint32_t crc32(std::string_view bytes) noexcept;

}  // namespace volley::journal
