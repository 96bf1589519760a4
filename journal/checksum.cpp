#include "journal/checksum.hpp"

#include <array>
#include <cstddef>
#include <cstring>

#ifdef __x86_64__
#include <nmmintrin.h>
#endif

namespace volley::journal {
namespace {

constexpr std::uint32_t castagnoli = 0x82F63B78U;
constexpr std::uint32_t zlib = 0xEDB88320U;
constexpr std::size_t step = 8;

using Table = std::array<std::uint32_t, 256>;

constexpr Table table_of(std::uint32_t polynomial) {
    Table table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? polynomial : 0U);
        table[i] = value;
    }
    return table;
}

std::uint32_t sum_by_table(const Table& table, std::string_view bytes, std::uint32_t value) noexcept {
    for (const char c : bytes) value = table[(value ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (value >> 8U);
    return value;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) std::uint32_t sum_by_processor(std::string_view bytes,
                                                                 std::uint32_t value) noexcept {
    std::uint64_t wide = value;
    while (bytes.size() >= step) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), step);
        wide = _mm_crc32_u64(wide, word);
        bytes.remove_prefix(step);
    }
    auto narrow = static_cast<std::uint32_t>(wide);
    for (const char c : bytes) narrow = _mm_crc32_u8(narrow, static_cast<unsigned char>(c));
    return narrow;
}
#endif

}  // namespace

std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t sum) noexcept {
    static constexpr Table table = table_of(castagnoli);
    return ~sum_by_table(table, bytes, ~sum);
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t sum) noexcept {
#ifdef __x86_64__
    static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
    if (has_instruction) return ~sum_by_processor(bytes, ~sum);
#endif
    return crc32c_by_table(bytes, sum);
}

std::uint32_t crc32(std::string_view bytes) noexcept {
    static constexpr Table table = table_of(zlib);
    return ~sum_by_table(table, bytes, ~0U);
}

}  // namespace volley::journal
