#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/yaml/document.hpp"

namespace volley::yaml {

/// Puts a Document together from the events of a reader, children before their parents.
class Builder {
public:
    explicit Builder(Source source);

    void scalar(Kind kind, bool quoted, std::string_view text, Position at);
    /// Throws Error for nesting deeper than 200: no reader of the document needs to guard its recursion.
    void open(Kind kind, Position at);
    void close();
    /// Throws the Error of the document's kind, naming the place.
    [[noreturn]] void fail(std::string_view problem, Position at) const;
    std::unique_ptr<const Document> finish();

private:
    struct Frame {
        std::uint32_t item;
        std::size_t first_child;  // in pending_
    };
    std::uint32_t add(Kind kind, Position at);
    void merge_literal_maps(std::size_t first);
    void drop_repeated_keys(std::size_t first);
    void note_repeated_key(std::uint32_t first, std::uint32_t last);
    std::string_view text_of(std::uint32_t item) const;

    std::unique_ptr<Document> document_;
    std::vector<Frame> frames_;
    std::vector<std::uint32_t> pending_;
};

}  // namespace volley::yaml
