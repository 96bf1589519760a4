#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/crypto/digest.hpp"
#include "support/json/json.hpp"

namespace volley::journal {

/// What the frames of one record are checked with: a salt of its own, so that output which looks like a frame
/// is none; and where the record leaves the journal's folder a key, so that nobody without it makes a frame.
class FrameCheck {
public:
    /// Of a new record. Without a key frames have a CRC-32C, with one an HMAC-SHA256.
    static FrameCheck make(std::string_view key = {});
    /// As the first line of a segment says it, which is without its end. nullopt: the line says something
    /// else, or the record is with a key and we are not, or the other way round.
    static std::optional<FrameCheck> of_line(std::string_view line, const std::string& key);

    /// The first line of each segment. The word for `complete` is at state_offset(), both are equally long.
    std::string line(bool complete) const;
    std::size_t state_offset() const;
    static std::string_view state(bool complete) noexcept;

    /// The digits that are in front of a frame: of all that follows them.
    std::string digits(std::string_view head, std::string_view content,
                       std::span<const std::string_view> output) const;

private:
    FrameCheck(std::string_view key, std::string salt);
    std::optional<HmacSha256> key_;
    std::string salt_;
    std::uint32_t salt_sum_;
};

/// What a frame is made of. `content` is its JSON: it has the lengths of the stretches of output in
/// result.output, as pairs of stream (1, 2) and length, and of the long texts of result.value in
/// result.texts, as pairs of JSON pointer and length; `output` is their bytes, in that order.
struct FrameParts {
    std::string_view content;
    std::span<const std::string_view> output = {};
    std::size_t output_size() const noexcept;
};
/// Adds a frame as it stands in a segment, up to its output: version of the format, digits of the check,
/// number, length of the JSON and of the output, and the JSON object on the same line. Its output and an end
/// of line follow.
void append_frame(std::string& text, const FrameCheck& check, std::uint64_t number, const FrameParts& frame);
/// The JSON of a frame that nothing is known of.
std::string content_text(const Json& frame);
/// Whether detach_long_texts() takes one out of this value.
bool has_long_text(const Json& value);
/// Takes the long texts out of a result's value: escaping them costs more than all the rest of a record.
/// result.texts says where they were. Returns them.
std::vector<std::string> detach_long_texts(Json& result);
/// The same for all output of a frame that was read, in the order in which it is written.
std::vector<std::string> detach_output(Json& frame);

struct Frames {
    // Defined where Json is complete, which it is not for everyone who holds some.
    Frames();
    ~Frames();
    Frames(const Frames&);
    Frames(Frames&&) noexcept;
    Frames& operator=(const Frames&);
    Frames& operator=(Frames&&) noexcept;

    /// Each an object with "frame", what it is; result.output has texts, and there is no result.texts.
    std::vector<Json> frames;
    std::size_t damaged = 0;  ///< changed, missing, or of a later version
    std::string problem;      ///< of the first of these: "frame 3 does not match its checksum"
    bool torn = false;        ///< the last one has no end: the writer was killed, or the disk was full
    bool incomplete = false;  ///< an intent could not be written: what has no frame may have begun
};

/// Reads the segments of one record, in their order. Never throws for what is in them: what is damaged is
/// left out and counted.
class FrameReader {
public:
    explicit FrameReader(std::string key = {}) : key_(std::move(key)) {}
    /// At most so many frames of it.
    void read(std::string_view segment, std::size_t most = SIZE_MAX);
    /// The last line of a record whose beginning was read: nullopt when it is not a whole frame.
    std::optional<Json> frame_of_line(std::string_view line) const;

    const Frames& frames() const noexcept { return found_; }
    Frames take() { return std::move(found_); }
    /// What is needed to go on in the last segment that was read.
    const std::optional<FrameCheck>& check() const noexcept { return check_; }
    std::uint64_t last_number() const noexcept { return last_; }
    std::size_t whole_bytes() const noexcept { return whole_; }

private:
    bool begin(std::string_view segment);
    void read_frames(std::string_view text, std::size_t most);
    void read_old_lines(std::string_view text, std::size_t most);
    bool take_frame(std::string_view text, std::size_t at, bool after_damage);
    std::size_t next_whole(std::string_view text, std::size_t from) const;
    void damage(const std::string& problem);

    std::string key_;
    std::optional<FrameCheck> check_;
    Frames found_;
    bool old_ = false;  ///< of the first version
    std::uint64_t last_ = 0;
    std::size_t whole_ = 0;  ///< up to here the segment is whole frames
};
/// All of one segment.
Frames read_frames(std::string_view segment);

}  // namespace volley::journal
