#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::agent {

/// A list of texts that nearly always is empty, and then only as large as a pointer.
class TextList {
public:
    using Texts = std::vector<std::string>;

    TextList() = default;
    TextList(Texts texts) {
        if (!texts.empty()) texts_ = std::make_unique<Texts>(std::move(texts));
    }
    TextList(const TextList& other) : TextList(other.all()) {}
    TextList(TextList&&) noexcept = default;
    TextList& operator=(const TextList& other) { return *this = TextList(other); }
    TextList& operator=(TextList&&) noexcept = default;
    ~TextList() = default;

    const Texts& all() const {
        static const Texts none;
        return texts_ ? *texts_ : none;
    }
    bool empty() const noexcept { return !texts_; }
    std::size_t size() const { return all().size(); }
    const std::string& operator[](std::size_t at) const { return (*texts_)[at]; }
    Texts::const_iterator begin() const { return all().begin(); }
    Texts::const_iterator end() const { return all().end(); }
    bool contains(std::string_view text) const { return std::find(begin(), end(), text) != end(); }

    void push_back(std::string text) {
        if (!texts_) texts_ = std::make_unique<Texts>();
        texts_->push_back(std::move(text));
    }
    /// Unless it is there.
    void insert(std::string_view text) {
        if (!contains(text)) push_back(std::string(text));
    }

private:
    std::unique_ptr<Texts> texts_;  // not empty
};

}  // namespace volley::agent
