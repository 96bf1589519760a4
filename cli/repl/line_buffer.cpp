#include "cli/repl/line_buffer.hpp"

#include <algorithm>

#include "support/unicode/utf8.hpp"

namespace volley::cli {
namespace {

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void LineBuffer::insert(std::string_view text) {
    text_.insert(cursor_, text);
    cursor_ += text.size();
}

void LineBuffer::replace(std::size_t begin, std::string_view text) {
    begin = std::min(begin, cursor_);
    text_.replace(begin, cursor_ - begin, text);
    cursor_ = begin + text.size();
}

void LineBuffer::left() {
    if (cursor_ > 0) --cursor_;
    while (cursor_ > 0 && continues_character(text_[cursor_])) --cursor_;
}

void LineBuffer::right() {
    if (cursor_ < text_.size()) cursor_ = next_character(text_, cursor_);
}

void LineBuffer::erase_before() {
    const std::size_t end = cursor_;
    left();
    text_.erase(cursor_, end - cursor_);
}

void LineBuffer::erase_after() {
    const std::size_t begin = cursor_;
    right();
    text_.erase(begin, cursor_ - begin);
    cursor_ = begin;
}

void LineBuffer::word_left() {
    while (cursor_ > 0 && !is_word_character(text_[cursor_ - 1])) --cursor_;
    while (cursor_ > 0 && is_word_character(text_[cursor_ - 1])) --cursor_;
}

void LineBuffer::word_right() {
    while (cursor_ < text_.size() && !is_word_character(text_[cursor_])) ++cursor_;
    while (cursor_ < text_.size() && is_word_character(text_[cursor_])) ++cursor_;
}

void LineBuffer::kill(std::size_t begin, std::size_t end) {
    killed_ = text_.substr(begin, end - begin);
    text_.erase(begin, end - begin);
    cursor_ = begin;
}

void LineBuffer::kill_to_end() { kill(cursor_, text_.size()); }
void LineBuffer::kill_to_start() { kill(0, cursor_); }

void LineBuffer::kill_word() {
    const std::size_t end = cursor_;
    word_left();
    kill(cursor_, end);
}

void LineBuffer::show(std::size_t place) {
    if (place_ == history_.size()) typed_ = text_;
    place_ = place;
    text_ = place == history_.size() ? typed_ : history_[place];
    cursor_ = text_.size();
}

void LineBuffer::older() {
    if (place_ > 0) show(place_ - 1);
}

void LineBuffer::newer() {
    if (place_ < history_.size()) show(place_ + 1);
}

}  // namespace volley::cli
