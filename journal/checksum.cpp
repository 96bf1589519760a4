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
/// What a sum becomes when `lane` more bytes of zeros follow, as a table for each of its bytes: that is
/// linear over GF(2), so that the sums of neighbours can be made side by side.
constexpr std::size_t lane = 1024;
using Matrix = std::array<std::uint32_t, 32>;

constexpr std::uint32_t times(const Matrix& matrix, std::uint32_t vector) {
    std::uint32_t product = 0;
    for (std::size_t bit = 0; vector != 0; ++bit, vector >>= 1U)
        product ^= (vector & 1U) != 0 ? matrix[bit] : 0U;
    return product;
}

constexpr std::array<Table, 4> tables_of_a_lane() {
    const Table bytes = table_of(castagnoli);
    Matrix matrix{};  // one byte of zeros
    for (std::size_t bit = 0; bit < matrix.size(); ++bit) {
        const std::uint32_t value = 1U << bit;
        matrix[bit] = bytes[value & 0xFFU] ^ (value >> 8U);
    }
    for (std::size_t zeros = 1; zeros < lane; zeros *= 2) {
        Matrix twice{};
        for (std::size_t bit = 0; bit < matrix.size(); ++bit) twice[bit] = times(matrix, matrix[bit]);
        matrix = twice;
    }
    std::array<Table, 4> tables{};
    for (std::uint32_t byte = 0; byte < tables.size(); ++byte) {
        for (std::uint32_t value = 0; value < tables[byte].size(); ++value)
            tables[byte][value] = times(matrix, value << (8 * byte));
    }
    return tables;
}

std::uint32_t after_a_lane(std::uint64_t sum) noexcept {
    static constexpr std::array<Table, 4> tables = tables_of_a_lane();
    return tables[0][sum & 0xFFU] ^ tables[1][sum >> 8U & 0xFFU] ^ tables[2][sum >> 16U & 0xFFU] ^
           tables[3][sum >> 24U & 0xFFU];
}

std::uint64_t word_at(const char* place) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, place, step);
    return word;
}

__attribute__((target("sse4.2"))) std::uint32_t sum_by_processor(std::string_view bytes,
                                                                 std::uint32_t value) noexcept {
    std::uint64_t wide = value;
    // The instruction takes three cycles, and three of them may be on the way at once.
    while (bytes.size() >= 3 * lane) {
        std::uint64_t second = 0;
        std::uint64_t third = 0;
        for (std::size_t at = 0; at < lane; at += step) {
            wide = _mm_crc32_u64(wide, word_at(bytes.data() + at));
            second = _mm_crc32_u64(second, word_at(bytes.data() + lane + at));
            third = _mm_crc32_u64(third, word_at(bytes.data() + 2 * lane + at));
        }
        wide = after_a_lane(after_a_lane(wide) ^ second) ^ third;
        bytes.remove_prefix(3 * lane);
    }
    for (; bytes.size() >= step; bytes.remove_prefix(step)) wide = _mm_crc32_u64(wide, word_at(bytes.data()));
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
