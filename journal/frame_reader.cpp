#include <charconv>
#include <nlohmann/json.hpp>

#include "journal/checksum.hpp"
#include "journal/frame.hpp"
#include "support/json/json_reader.hpp"

namespace volley::journal {
namespace {

constexpr std::string_view format_words = "2 ";
constexpr std::string_view old_format_words = "1 ";
constexpr std::size_t old_checksum_digits = 8;
constexpr std::uint64_t longest_part = 1ULL << 40U;
// What looks like the beginning of a frame in damaged bytes is checked, each with the bytes that it claims.
constexpr std::size_t most_checked_times = 16;

bool is_frame(const Json& frame) {
    if (!frame.is_object()) return false;
    const auto what = frame.find("frame");
    return what != frame.end() && what->is_string();
}

/// The words in front of a frame.
struct FrameHead {
    std::string_view digits;
    std::string_view checked;  ///< number and lengths
    std::uint64_t number = 0;
    std::uint64_t content = 0;
    std::uint64_t output = 0;
    std::size_t begin = 0;  ///< of the JSON, from the beginning of the frame

    std::size_t output_begin() const { return begin + content + 1; }
    std::size_t end() const { return begin + content + (output > 0 ? 1 + output : 0) + 1; }
};

bool take_number(std::string_view& text, std::uint64_t& number) {
    const auto [stopped, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto size = static_cast<std::size_t>(stopped - text.data());
    if (problem != std::errc() || size == text.size() || *stopped != ' ' || number > longest_part)
        return false;
    text.remove_prefix(size + 1);
    return true;
}

std::optional<FrameHead> head_in(std::string_view text) {
    const std::size_t size = text.size();
    if (!text.starts_with(format_words)) return std::nullopt;
    text.remove_prefix(format_words.size());
    FrameHead head;
    head.digits = text.substr(0, text.find(' '));
    if (head.digits.size() == text.size()) return std::nullopt;
    text.remove_prefix(head.digits.size() + 1);
    const std::string_view checked = text;
    if (!take_number(text, head.number) || !take_number(text, head.content) ||
        !take_number(text, head.output))
        return std::nullopt;
    head.checked = checked.substr(0, checked.size() - text.size());
    head.begin = size - text.size();
    return head;
}

bool is_whole(const FrameCheck& check, const FrameHead& head, std::string_view text) {
    if (head.end() > text.size() || text[head.end() - 1] != '\n') return false;
    if (head.output > 0 && text[head.output_begin() - 1] != '\n') return false;
    const std::string_view output =
        head.output > 0 ? text.substr(head.output_begin(), head.output) : std::string_view();
    return head.digits == check.digits(head.checked, text.substr(head.begin, head.content), {&output, 1});
}

/// The next so many bytes; nullopt when there are fewer.
std::optional<std::string> take_bytes(std::string_view& bytes, const Json& length) {
    if (!length.is_number_unsigned() || length.get<std::uint64_t>() > bytes.size()) return std::nullopt;
    std::string taken(bytes.substr(0, length.get<std::uint64_t>()));
    bytes.remove_prefix(taken.size());
    return taken;
}

/// Where a long text of a result's value was; nullptr when nothing is missing there.
Json* place_in(Json& value, const Json& pointer) {
    if (!pointer.is_string()) return nullptr;
    try {
        const Json::json_pointer path(pointer.get_ref<const std::string&>());
        if (!value.contains(path)) return nullptr;
        Json& place = value.at(path);
        return place.is_null() ? &place : nullptr;
    } catch (const Json::exception&) {
        return nullptr;
    }
}

/// The bytes take the place of their lengths. False when they do not fit.
bool attach_output(Json& frame, std::string_view bytes) {
    const auto result = frame.find("result");
    if (result == frame.end() || !result->is_object()) return bytes.empty();
    const auto pairs_of = [&](const char* name) {
        return result->contains(name) ? std::move((*result)[name]) : Json::array();
    };
    if (Json output = pairs_of("output"); result->contains("output")) {
        for (Json& piece : output) {
            if (!piece.is_array() || piece.size() != 2) return false;
            auto text = take_bytes(bytes, piece[1]);
            if (!text) return false;
            piece[1] = *std::move(text);
        }
        (*result)["output"] = std::move(output);
    }
    for (const Json& text : pairs_of("texts")) {
        if (!text.is_array() || text.size() != 2) return false;
        auto bytes_of_text = take_bytes(bytes, text[1]);
        Json* place = bytes_of_text ? place_in((*result)["value"], text[0]) : nullptr;
        if (place == nullptr) return false;
        *place = *std::move(bytes_of_text);
    }
    result->erase("texts");
    return bytes.empty();
}

Json frame_in(const FrameHead& head, std::string_view text) {
    Json frame = try_parse_json(text.substr(head.begin, head.content), wrapped_value_json_limits);
    const std::string_view output =
        head.output > 0 ? text.substr(head.output_begin(), head.output) : std::string_view();
    if (!is_frame(frame) || !attach_output(frame, output)) return nullptr;
    return frame;
}

/// A frame of the first version: a checksum without a salt, and output as texts in the JSON.
std::optional<Json> old_frame_in(std::string_view line) {
    if (!line.starts_with(old_format_words)) return std::nullopt;
    line.remove_prefix(old_format_words.size());
    if (line.size() < old_checksum_digits + 2 || line[old_checksum_digits] != ' ') return std::nullopt;
    std::uint32_t wanted = 0;
    const auto [stopped, problem] =
        std::from_chars(line.data(), line.data() + old_checksum_digits, wanted, 16);
    if (problem != std::errc() || stopped != line.data() + old_checksum_digits) return std::nullopt;
    const std::string_view text = line.substr(old_checksum_digits + 1);
    if (crc32(text) != wanted) return std::nullopt;
    Json frame = try_parse_json(text, wrapped_value_json_limits);
    if (!is_frame(frame)) return std::nullopt;
    return frame;
}

}  // namespace

void FrameReader::damage(const std::string& problem) {
    if (found_.damaged++ == 0) found_.problem = problem;
}

/// True when frames follow.
bool FrameReader::begin(std::string_view segment) {
    const std::size_t end = segment.find('\n');
    if (end == std::string_view::npos) {
        found_.torn = true;
        return false;
    }
    const std::string_view line = segment.substr(0, end);
    const auto check = FrameCheck::of_line(line, key_);
    if (!check) {
        damage(key_.empty() ? "it is not a record that this version of Volley can read"
                            : "it is not a record that this version of Volley can read, or has no seal");
        return false;
    }
    if (line.ends_with(FrameCheck::state(false))) found_.incomplete = true;
    check_ = check;
    whole_ = end + 1;
    return true;
}

void FrameReader::read(std::string_view segment, std::size_t most) {
    whole_ = 0;
    if (segment.empty()) return;
    if (key_.empty() && !check_ && segment.starts_with(old_format_words)) old_ = true;
    if (old_)
        read_old_lines(segment, most);
    else if (begin(segment))
        read_frames(segment, most);
}

/// Takes the frame there, when it is the one that must follow, or a later one.
bool FrameReader::take_frame(std::string_view text, std::size_t at, bool after_damage) {
    const auto head = head_in(text.substr(at));
    if (!head || head->number <= last_ || !is_whole(*check_, *head, text.substr(at))) return false;
    Json frame = frame_in(*head, text.substr(at));
    const std::string name = "frame " + std::to_string(head->number);
    if (head->number != last_ + 1 && !after_damage) damage("frames before " + name + " are missing");
    if (frame.is_null())
        damage(name + " is not a JSON object that says what it is");
    else
        found_.frames.push_back(std::move(frame));
    last_ = head->number;
    whole_ = at + head->end();
    return true;
}

std::size_t FrameReader::next_whole(std::string_view text, std::size_t from) const {
    std::size_t left = most_checked_times * text.size();
    for (std::size_t at = text.find("\n2 ", from); at != std::string_view::npos;
         at = text.find("\n2 ", at + 1)) {
        const std::string_view rest = text.substr(at + 1);
        const auto head = head_in(rest);
        if (!head || head->number <= last_ || head->end() > rest.size()) continue;
        if (head->end() > left) break;
        left -= head->end();
        if (is_whole(*check_, *head, rest)) return at + 1;
    }
    return std::string_view::npos;
}

void FrameReader::read_frames(std::string_view text, std::size_t most) {
    bool after_damage = false;
    while (whole_ < text.size() && found_.frames.size() < most) {
        if (take_frame(text, whole_, after_damage)) {
            after_damage = false;
            continue;
        }
        const std::size_t next = next_whole(text, whole_);
        const std::string_view rest = text.substr(whole_);
        if (next == std::string_view::npos) {
            const auto head = head_in(rest);
            found_.torn = head ? head->end() > rest.size() : rest.find('\n') == std::string_view::npos;
            if (found_.torn) return;
        }
        damage("frame " + std::to_string(last_ + 1) +
               (key_.empty() ? " does not match its checksum"
                             : " does not match its seal: it was changed, or recorded with the key of "
                               "another project"));
        if (next == std::string_view::npos) return;
        whole_ = next;
        after_damage = true;
    }
}

void FrameReader::read_old_lines(std::string_view text, std::size_t most) {
    while (whole_ < text.size() && found_.frames.size() < most) {
        const std::size_t end = text.find('\n', whole_);
        found_.torn = end == std::string_view::npos;
        if (found_.torn) return;
        if (auto frame = old_frame_in(text.substr(whole_, end - whole_)))
            found_.frames.push_back(*std::move(frame));
        else
            damage("a line does not match its checksum");
        whole_ = end + 1;
    }
}

std::optional<Json> FrameReader::frame_of_line(std::string_view line) const {
    if (old_) return old_frame_in(line);
    const std::string text = std::string(line) + "\n";
    const auto head = head_in(text);
    if (!check_ || !head || head->output > 0 || head->end() != text.size() || !is_whole(*check_, *head, text))
        return std::nullopt;
    Json frame = frame_in(*head, text);
    if (frame.is_null()) return std::nullopt;
    return frame;
}

Frames::Frames() = default;
Frames::~Frames() = default;
Frames::Frames(const Frames&) = default;
Frames::Frames(Frames&&) noexcept = default;
Frames& Frames::operator=(const Frames&) = default;
Frames& Frames::operator=(Frames&&) noexcept = default;

Frames read_frames(std::string_view segment) {
    FrameReader reader;
    reader.read(segment);
    return reader.take();
}

}  // namespace volley::journal
