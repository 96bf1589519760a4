#pragma once

#include <string>
#include <string_view>

namespace volley::agent {

/// A text that stands in thousands of places: a tag, the name of a parameter, the file of a manifest. It is
/// stored once and for as long as the program runs, and a Word is as large as a pointer. Not for texts that
/// are different each time, nor for secrets.
class Word {
public:
    Word() noexcept : text_(&nothing()) {}
    Word(std::string_view text) : text_(&stored(text)) {}
    Word(const std::string& text) : Word(std::string_view(text)) {}
    Word(const char* text) : Word(std::string_view(text)) {}

    const std::string& text() const noexcept { return *text_; }
    operator const std::string&() const noexcept { return *text_; }
    operator std::string_view() const noexcept { return *text_; }
    bool empty() const noexcept { return text_->empty(); }

    friend bool operator==(const Word& one, const Word& other) noexcept { return one.text_ == other.text_; }
    friend bool operator==(const Word& one, std::string_view other) noexcept { return *one.text_ == other; }
    friend bool operator==(const Word& one, const std::string& other) noexcept { return *one.text_ == other; }
    friend bool operator==(const Word& one, const char* other) noexcept { return *one.text_ == other; }

    friend std::string operator+(std::string before, const Word& word) { return before += *word.text_; }
    friend std::string operator+(const Word& word, std::string_view after) {
        return std::string(*word.text_).append(after);
    }

private:
    static const std::string& nothing() noexcept;
    static const std::string& stored(std::string_view text);

    const std::string* text_;
};

}  // namespace volley::agent
