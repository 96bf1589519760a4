#include "support/text.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>

#include "support/text/hex_digit.hpp"
#include "support/unicode/printable.hpp"
#include "support/unicode/utf8.hpp"
#include "support/unique_fd.hpp"

namespace volley {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours: "wbe" is one away from "web".
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(above);
        above.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What each byte stands for as a digit of base64; 64: for none.
constexpr std::array<std::uint8_t, 256> base64_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(64);
    for (std::size_t digit = 0; digit < base64_digits.size(); ++digit)
        values[static_cast<unsigned char>(base64_digits[digit])] = static_cast<std::uint8_t>(digit);
    return values;
}();

}  // namespace

bool is_utf8(std::string_view bytes) noexcept {
    constexpr std::uint64_t high_bits = 0x8080808080808080U;
    while (!bytes.empty()) {
        // Most text is ASCII: eight bytes at once.
        std::uint64_t word = 0;
        if (bytes.size() >= sizeof word) {
            std::memcpy(&word, bytes.data(), sizeof word);
            if ((word & high_bits) == 0) {
                bytes.remove_prefix(sizeof word);
                continue;
            }
        }
        const bool ascii = (static_cast<unsigned char>(bytes.front()) & 0x80U) == 0;
        const std::size_t length = ascii ? 1 : utf8_sequence_length(bytes);
        if (length == 0) return false;
        bytes.remove_prefix(length);
    }
    return true;
}

std::string scrub_utf8(std::string_view bytes) {
    static constexpr std::string_view hex = "0123456789ABCDEF";
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = utf8_sequence_length(bytes);
        if (length == 0) {
            const auto value = static_cast<unsigned char>(bytes.front());  // 0x80 or above, so two digits
            out += "\\x";
            out += hex[value >> 4U];
            out += hex[value & 0xFU];
            bytes.remove_prefix(1);
        } else {
            out += bytes.substr(0, length);
            bytes.remove_prefix(length);
        }
    }
    return out;
}

std::optional<std::string> closest_match(std::string_view word, std::span<const std::string> candidates) {
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    std::optional<std::string> meant = closest_match(word, known);
    for (std::size_t i = 0; !meant && i < known.size(); ++i) {
        const std::string& name = known[i];
        const bool last_part = word.size() > 2 && name.size() > word.size() + 2 && name.ends_with(word) &&
                               name.substr(0, name.size() - word.size()).ends_with("::");
        if (last_part || lower(name) == lower(word)) meant = name;
    }
    return meant ? " Did you mean '" + *meant + "'?" : "";
}

std::string shell_quote(std::string_view text) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_-.,:/@%+=").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

std::string shell_join(std::span<const std::string> words) {
    std::string out;
    for (const std::string& word : words) {
        if (!out.empty()) out += ' ';
        out += shell_quote(word);
    }
    return out;
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.emplace_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + separator.size());
    }
}

std::vector<std::string> split(std::string_view text, char separator) {
    return split(text, std::string_view(&separator, 1));
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i != 0) out += separator;
        out += parts[i];
    }
    return out;
}

std::string_view trim(std::string_view text) noexcept {
    const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && space(text.front())) text.remove_prefix(1);
    while (!text.empty() && space(text.back())) text.remove_suffix(1);
    return text;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::string base64_encode(std::string_view bytes) {
    std::string out((bytes.size() + 2) / 3 * 4, '=');
    char* to = out.data();
    const auto byte = [&bytes](std::size_t at) -> std::uint32_t {
        return static_cast<unsigned char>(bytes[at]);
    };
    const auto put = [&to](std::uint32_t group, unsigned digits) {
        for (unsigned digit = 0; digit < digits; ++digit)
            *to++ = base64_digits[(group >> (18U - 6U * digit)) & 63U];
    };
    std::size_t at = 0;
    for (; at + 3 <= bytes.size(); at += 3) put(byte(at) << 16U | byte(at + 1) << 8U | byte(at + 2), 4);
    if (bytes.size() - at == 2) put(byte(at) << 16U | byte(at + 1) << 8U, 3);
    if (bytes.size() - at == 1) put(byte(at) << 16U, 2);
    return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size() / 4 * 3);
    std::uint32_t group = 0;
    unsigned digits = 0;
    unsigned padding = 0;
    for (const char c : text) {
        const std::uint32_t digit = base64_values[static_cast<unsigned char>(c)];
        if (digit == 64) {
            if (c == '=') {
                ++padding;
            } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
                return std::nullopt;
            }
            continue;
        }
        if (padding != 0) return std::nullopt;
        group = (group << 6U) | digit;
        if (++digits == 4) {
            out += static_cast<char>(group >> 16U);
            out += static_cast<char>((group >> 8U) & 255U);
            out += static_cast<char>(group & 255U);
            group = 0;
            digits = 0;
        }
    }
    if (digits == 1 || padding > 2) return std::nullopt;
    if (padding != 0 && (digits + padding) != 4) return std::nullopt;
    if (digits >= 2) out += static_cast<char>((group >> (digits == 2 ? 4U : 10U)) & 255U);
    if (digits == 3) out += static_cast<char>((group >> 2U) & 255U);
    return out;
}

namespace {

/// The call is younger than the oldest kernels that the agent runs on.
bool random_bytes(std::span<unsigned char> bytes) {
    const auto wanted = static_cast<ssize_t>(bytes.size());
    if (getrandom(bytes.data(), bytes.size(), 0) == wanted) return true;
    const UniqueFd source(::open("/dev/urandom", O_RDONLY | O_CLOEXEC));
    return source && ::read(source.get(), bytes.data(), bytes.size()) == wanted;
}

}  // namespace

std::string random_uuid() {
    std::array<unsigned char, 16> bytes{};
    if (!random_bytes(bytes)) throw std::runtime_error("the kernel's random source is not available");
    bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0FU) | 0x40U);
    bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3FU) | 0x80U);
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
        append_hex_byte(out, bytes[i]);
    }
    return out;
}

}  // namespace volley
