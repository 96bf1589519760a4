#include "journal/frame.hpp"

#include <nlohmann/json.hpp>

#include "journal/checksum.hpp"
#include "support/crypto/digest.hpp"
#include "support/text.hpp"
#include "support/text/hex_digit.hpp"

namespace volley::journal {
namespace {

constexpr std::string_view first_words = "volley-record 2 ";
constexpr std::string_view by_checksum = "crc32c ";
constexpr std::string_view by_key = "hmac-sha256 ";
constexpr std::string_view complete_word = "complete  ";
constexpr std::string_view incomplete_word = "incomplete";
constexpr std::size_t salt_digits = 16;
constexpr std::size_t seal_digits = 32;  // half of the 64: 128 bits

std::string hex_digits(std::uint32_t value) {
    std::string text;
    for (int shift = 28; shift >= 0; shift -= 4) text += hex_letter(value >> static_cast<unsigned>(shift));
    return text;
}

/// The list of result.output, where there is one.
Json* output_in(Json& frame) {
    const auto result = frame.find("result");
    if (result == frame.end() || !result->is_object()) return nullptr;
    const auto output = result->find("output");
    return output == result->end() || !output->is_array() ? nullptr : &*output;
}

}  // namespace

FrameCheck FrameCheck::make(std::string key) {
    std::string salt = random_uuid();
    std::erase(salt, '-');
    return {std::move(key), salt.substr(salt.size() - salt_digits)};  // all random there
}

std::optional<FrameCheck> FrameCheck::of_line(std::string_view line, const std::string& key) {
    const std::string_view kind = key.empty() ? by_checksum : by_key;
    if (!line.starts_with(first_words) || !line.substr(first_words.size()).starts_with(kind))
        return std::nullopt;
    line.remove_prefix(first_words.size() + kind.size());
    if (line.size() != salt_digits + 1 + complete_word.size() || line[salt_digits] != ' ')
        return std::nullopt;
    const std::string_view state = line.substr(salt_digits + 1);
    if (state != complete_word && state != incomplete_word) return std::nullopt;
    return FrameCheck(key, std::string(line.substr(0, salt_digits)));
}

std::string FrameCheck::line(bool complete) const {
    std::string text(first_words);
    text += key_.empty() ? by_checksum : by_key;
    text += salt_;
    text += ' ';
    text += state(complete);
    text += '\n';
    return text;
}

std::size_t FrameCheck::state_offset() const {
    return first_words.size() + (key_.empty() ? by_checksum : by_key).size() + salt_digits + 1;
}

std::string_view FrameCheck::state(bool complete) noexcept {
    return complete ? complete_word : incomplete_word;
}

std::string FrameCheck::digits(std::string_view head, std::string_view content,
                               std::span<const std::string_view> output) const {
    if (key_.empty()) {
        std::uint32_t sum = crc32c(content, crc32c(head, crc32c(salt_)));
        for (const std::string_view piece : output) sum = crc32c(piece, sum);
        return hex_digits(sum);
    }
    std::string all = "frame\n" + salt_;
    all += head;
    all += content;
    for (const std::string_view piece : output) all += piece;
    return hex_text(hmac_sha256(key_, all)).substr(0, seal_digits);
}

std::string frame_text(const FrameCheck& check, std::uint64_t number, const Json& content,
                       std::span<const std::string_view> output) {
    const std::string text = content.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::size_t bytes = 0;
    for (const std::string_view piece : output) bytes += piece.size();
    const std::string head =
        std::to_string(number) + " " + std::to_string(text.size()) + " " + std::to_string(bytes) + " ";
    return "2 " + check.digits(head, text, output) + " " + head + text + "\n";
}

std::vector<std::string> detach_output(Json& frame) {
    std::vector<std::string> texts;
    Json* output = output_in(frame);
    if (output == nullptr) return texts;
    for (Json& piece : *output) {
        if (!piece.is_array() || piece.size() != 2 || !piece[1].is_string()) continue;
        texts.push_back(std::move(piece[1].get_ref<std::string&>()));
        piece[1] = texts.back().size();
    }
    return texts;
}

}  // namespace volley::journal
