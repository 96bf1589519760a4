#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace volley::cli {

/// One line that is being typed, and a walk through those typed before. The cursor stands between characters
/// of UTF-8.
class LineBuffer {
public:
    /// `history`: earlier lines, oldest first; must outlive the buffer.
    explicit LineBuffer(const std::vector<std::string>& history)
        : history_(history), place_(history.size()) {}

    const std::string& text() const noexcept { return text_; }
    /// In bytes.
    std::size_t cursor() const noexcept { return cursor_; }

    void insert(std::string_view text);
    void replace(std::size_t begin, std::string_view text);  ///< from `begin` to the cursor
    void erase_before();
    void erase_after();
    void left();
    void right();
    void word_left();
    void word_right();
    void home() { cursor_ = 0; }
    void end() { cursor_ = text_.size(); }
    void kill_to_end();
    void kill_to_start();
    void kill_word();
    void paste() { insert(killed_); }
    /// The line before or after in the history; what was typed is kept and comes back at its end.
    void older();
    void newer();

private:
    void show(std::size_t place);
    void kill(std::size_t begin, std::size_t end);

    const std::vector<std::string>& history_;
    std::size_t place_;
    std::string text_;
    std::string typed_;   // while a line of the history is shown
    std::string killed_;  // cut last
    std::size_t cursor_ = 0;
};

}  // namespace volley::cli
