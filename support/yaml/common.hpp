#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "support/yaml/document.hpp"

namespace volley::yaml {

/// Reads the YAML that people write for machines: block maps and lists, scalars of one line, literal blocks,
/// flow lists and maps of one line, comments. That is some thirty times faster than yaml-cpp, which reads a
/// character at a time. It is strict: whatever else it meets (anchors, tags, scalars of several lines, odd
/// indentation, mistakes) it leaves to yaml-cpp, which says what is wrong.
class CommonYaml {
public:
    struct Token {
        enum class Type : std::uint8_t { Scalar, Map, Sequence, Close };
        Type type = Type::Scalar;
        bool plain = false;
        Position at;
        std::string_view text = {};
    };
    /// `text` must outlive the tokens. It has been checked to be UTF-8 without control characters.
    explicit CommonYaml(std::string_view text) : text_(text) {}

    /// False: this text needs a full reader.
    bool read();
    /// What the text consists of, in its order; keys and values of a map in turn.
    const std::vector<Token>& tokens() const noexcept { return tokens_; }

private:
    struct Frame {
        bool map = false;
        std::size_t indent = 0;
        bool waiting = false;  // for the value of a key, or of a dash
        Position place = {};   // where an absent value would stand
    };
    struct Scalar {
        std::string_view text;
        bool plain = false;
    };

    // A line: where it begins and ends, and where in it the reader is.
    bool next_line();
    bool at_end() const noexcept { return at_ >= end_; }
    char peek(std::size_t ahead = 0) const noexcept { return at_ + ahead < end_ ? text_[at_ + ahead] : '\0'; }
    void skip_spaces() noexcept;
    bool at_line_end() noexcept;
    bool begins_flow() const noexcept { return peek() == '[' || peek() == '{'; }
    std::size_t column() const noexcept { return at_ - begin_; }
    Position position() const noexcept;

    bool line();
    bool content(std::size_t indent);
    bool place_entry(std::size_t indent, bool dash);
    bool dash_entry();
    bool key_entry();
    bool value();
    bool plain_scalar(Scalar& scalar);
    bool quoted_scalar(Scalar& scalar);
    bool literal_block();
    bool flow(int depth);
    bool flow_item(int depth);
    bool flow_scalar(Scalar& scalar, bool key);
    bool is_dash() const noexcept { return peek() == '-' && (at_ + 1 >= end_ || peek(1) == ' '); }
    std::size_t key_end() const noexcept;

    void add(const Scalar& scalar, Position at);
    void open(bool map, std::size_t indent);
    void close();
    void give_null(Frame& frame);

    std::string_view text_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t next_ = 0;
    std::size_t at_ = 0;
    std::uint32_t line_ = 0;
    bool started_ = false;  // "---" was there
    std::vector<Frame> frames_;
    std::vector<Token> tokens_;
    std::deque<std::string> unescaped_;  // owns texts that do not stand in the source as they are
};

}  // namespace volley::yaml
