#include "journal/frame.hpp"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "support/json/json_reader.hpp"
#include "support/text/hex_digit.hpp"

namespace volley::journal {
namespace {

constexpr std::string_view format_version = "1 ";
constexpr std::size_t checksum_digits = 8;

constexpr std::array<std::uint32_t, 256> checksum_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
        table[i] = value;
    }
    return table;
}

std::optional<Json> frame_in(std::string_view line) {
    if (!line.starts_with(format_version)) return std::nullopt;
    line.remove_prefix(format_version.size());
    if (line.size() < checksum_digits + 2 || line[checksum_digits] != ' ') return std::nullopt;
    std::uint32_t wanted = 0;
    const auto [stopped, problem] = std::from_chars(line.data(), line.data() + checksum_digits, wanted, 16);
    if (problem != std::errc() || stopped != line.data() + checksum_digits) return std::nullopt;
    const std::string_view text = line.substr(checksum_digits + 1);
    if (checksum(text) != wanted) return std::nullopt;
    Json frame = try_parse_json(text, wrapped_value_json_limits);
    if (!frame.is_object()) return std::nullopt;
    const auto what = frame.find("frame");
    if (what == frame.end() || !what->is_string()) return std::nullopt;
    return frame;
}

}  // namespace

std::uint32_t checksum(std::string_view bytes) noexcept {
    static constexpr auto table = checksum_table();
    std::uint32_t value = 0xFFFFFFFFU;
    for (const char c : bytes) value = table[(value ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (value >> 8U);
    return value ^ 0xFFFFFFFFU;
}

std::string frame_line(const Json& content) {
    const std::string text = content.dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::uint32_t sum = checksum(text);
    std::string line(format_version);
    for (int shift = 28; shift >= 0; shift -= 4) line += hex_letter(sum >> static_cast<unsigned>(shift));
    line += ' ';
    line += text;
    line += '\n';
    return line;
}

Frames read_frames(std::string_view text) {
    Frames found;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            found.torn = true;
            break;
        }
        if (auto frame = frame_in(text.substr(0, end)))
            found.frames.push_back(*std::move(frame));
        else
            ++found.damaged;
        text.remove_prefix(end + 1);
    }
    return found;
}

}  // namespace volley::journal
