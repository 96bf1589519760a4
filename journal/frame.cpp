#include "journal/frame.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>

#include "journal/checksum.hpp"
#include "support/json/json_text.hpp"
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
constexpr std::size_t long_text = 1024;

std::string hex_digits(std::uint32_t value) {
    std::string text;
    for (int shift = 28; shift >= 0; shift -= 4) text += hex_letter(value >> static_cast<unsigned>(shift));
    return text;
}

/// A word of a JSON pointer (RFC 6901, chapter 3).
std::string pointer_word(std::string_view name) {
    std::string word = "/";
    for (const char letter : name) {
        if (letter == '~')
            word += "~0";
        else if (letter == '/')
            word += "~1";
        else
            word += letter;
    }
    return word;
}

class LongTexts {
public:
    void take_from(Json& value) {
        if (value.is_object()) {
            for (auto item = value.begin(); item != value.end(); ++item) visit(item.key(), *item);
        } else if (value.is_array()) {
            for (std::size_t i = 0; i < value.size(); ++i) visit(std::to_string(i), value[i]);
        } else if (value.is_string() && value.get_ref<const std::string&>().size() >= long_text) {
            texts_.push_back(std::move(value.get_ref<std::string&>()));
            places_.push_back(Json::array({path_, texts_.back().size()}));
            value = nullptr;
        }
    }
    Json take_places() { return std::move(places_); }
    std::vector<std::string> take_texts() { return std::move(texts_); }

private:
    void visit(std::string_view name, Json& item) {
        if (!item.is_structured() && !item.is_string()) return;
        const std::size_t length = path_.size();
        path_ += pointer_word(name);
        take_from(item);
        path_.resize(length);
    }

    std::string path_;
    Json places_ = Json::array();
    std::vector<std::string> texts_;
};

}  // namespace

FrameCheck::FrameCheck(std::string_view key, std::string salt)
    : salt_(std::move(salt)), salt_sum_(crc32c(salt_)) {
    if (!key.empty()) key_.emplace(key);
}

FrameCheck FrameCheck::make(std::string_view key) {
    std::string salt = random_uuid();
    std::erase(salt, '-');
    return {key, salt.substr(salt.size() - salt_digits)};  // all random there
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
    text += key_ ? by_key : by_checksum;
    text += salt_;
    text += ' ';
    text += state(complete);
    text += '\n';
    return text;
}

std::size_t FrameCheck::state_offset() const {
    return first_words.size() + (key_ ? by_key : by_checksum).size() + salt_digits + 1;
}

std::string_view FrameCheck::state(bool complete) noexcept {
    return complete ? complete_word : incomplete_word;
}

std::string FrameCheck::digits(std::string_view head, std::string_view content,
                               std::span<const std::string_view> output) const {
    if (!key_) {
        std::uint32_t sum = crc32c(content, crc32c(head, salt_sum_));
        for (const std::string_view piece : output) sum = crc32c(piece, sum);
        return hex_digits(sum);
    }
    std::string all = "frame\n" + salt_;
    all += head;
    all += content;
    for (const std::string_view piece : output) all += piece;
    return hex_text(key_->of(all)).substr(0, seal_digits);
}

std::string content_text(const Json& frame) { return compact_json(frame); }

std::size_t FrameParts::output_size() const noexcept {
    std::size_t size = 0;
    for (const std::string_view piece : output) size += piece.size();
    return size;
}

void append_frame(std::string& text, const FrameCheck& check, std::uint64_t number, const FrameParts& frame) {
    const std::string_view content = frame.content;
    const std::uint64_t lengths[] = {number, content.size(), frame.output_size()};
    char digits[3 * 21];
    char* end = digits;
    for (const std::uint64_t value : lengths) {
        end = std::to_chars(end, std::end(digits), value).ptr;
        *end++ = ' ';
    }
    const std::string_view head(digits, static_cast<std::size_t>(end - digits));
    text += "2 ";
    text += check.digits(head, content, frame.output);
    text += ' ';
    text += head;
    text += content;
    text += '\n';
}

bool has_long_text(const Json& value) {
    if (value.is_string()) return value.get_ref<const std::string&>().size() >= long_text;
    return value.is_structured() && std::any_of(value.begin(), value.end(), has_long_text);
}

std::vector<std::string> detach_long_texts(Json& result) {
    const auto value = result.find("value");
    if (value == result.end()) return {};
    LongTexts texts;
    texts.take_from(*value);
    if (Json places = texts.take_places(); !places.empty()) result["texts"] = std::move(places);
    return texts.take_texts();
}

std::vector<std::string> detach_output(Json& frame) {
    std::vector<std::string> texts;
    const auto result = frame.find("result");
    if (result == frame.end() || !result->is_object()) return texts;
    if (const auto output = result->find("output"); output != result->end() && output->is_array()) {
        for (Json& piece : *output) {
            if (!piece.is_array() || piece.size() != 2 || !piece[1].is_string()) continue;
            texts.push_back(std::move(piece[1].get_ref<std::string&>()));
            piece[1] = texts.back().size();
        }
    }
    for (std::string& text : detach_long_texts(*result)) texts.push_back(std::move(text));
    return texts;
}

}  // namespace volley::journal
