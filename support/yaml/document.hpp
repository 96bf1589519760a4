#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/json/json.hpp"

/// YAML with positions, read as Ruby's Psych reads it (YAML 1.1), because Bolt's users write for that.
namespace volley::yaml {

enum class Kind : std::uint8_t { Absent, Null, Boolean, Integer, Float, String, Sequence, Map };

/// "Boolean", "Map" ... as messages name them.
std::string_view to_string(Kind kind) noexcept;

/// Both count from 1. Line 0: the data does not come from a text (a plugin's answer).
struct Position {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

class Document;
class Sequence;
class Entries;

/// A place in a Document: a light handle, valid as long as the Document. A default one is absent, and so is
/// what find() did not find; asking an absent node for its content returns nothing.
class Node {
public:
    Node() = default;

    Kind kind() const noexcept;
    explicit operator bool() const noexcept { return document_ != nullptr; }
    bool is_null() const noexcept { return kind() == Kind::Null; }
    bool is_string() const noexcept { return kind() == Kind::String; }
    bool is_map() const noexcept { return kind() == Kind::Map; }
    bool is_sequence() const noexcept { return kind() == Kind::Sequence; }
    /// True for a scalar in quotes or of a block (| or >).
    bool is_quoted() const noexcept;

    /// A scalar's text as it stands in the document; empty for others.
    std::string_view text() const noexcept;
    /// The value of a Boolean; false for others.
    bool as_bool() const noexcept;

    /// Elements of a sequence, entries of a map.
    std::size_t size() const noexcept;
    /// The value of that key in a map.
    Node find(std::string_view key) const noexcept;
    /// Elements of a sequence; empty for others.
    Sequence elements() const noexcept;
    /// Entries of a map; empty for others. Of keys that are given twice, the last value counts
    /// (compatibility).
    Entries entries() const noexcept;

    /// The whole value. Keys of maps become text.
    Json to_json() const;

    Position position() const noexcept;
    /// "FILE:LINE:COLUMN", or just the document's name when there is no position.
    std::string where() const;
    /// True when the document is somebody else's data (Source::foreign).
    bool is_foreign() const noexcept;

private:
    friend class Document;
    friend struct Entry;
    template <class Item, std::size_t width>
    friend class Children;
    Node(const Document* document, std::uint32_t id) noexcept : document_(document), id_(id) {}
    Node(const Document* document, const std::uint32_t* id) noexcept : Node(document, *id) {}
    const Document* document_ = nullptr;
    std::uint32_t id_ = 0;
};

struct Entry {
    Entry(const Document* document, const std::uint32_t* at) noexcept
        : key(document, at[0]), value(document, at[1]) {}
    Node key;
    Node value;
};

/// The children of a node, for range-for: `Item` of each `width` of them.
template <class Item, std::size_t width>
class Children {
public:
    class Iterator {
    public:
        Iterator(const Document* document, const std::uint32_t* at) noexcept : document_(document), at_(at) {}
        Item operator*() const noexcept { return Item(document_, at_); }
        Iterator& operator++() noexcept {
            at_ += width;
            return *this;
        }
        bool operator==(const Iterator& other) const noexcept { return at_ == other.at_; }

    private:
        const Document* document_;
        const std::uint32_t* at_;
    };
    Iterator begin() const noexcept { return {document_, first_}; }
    Iterator end() const noexcept { return {document_, first_ + width * count_}; }

private:
    friend class Node;
    const Document* document_ = nullptr;
    const std::uint32_t* first_ = nullptr;
    std::size_t count_ = 0;
};

/// The elements of a sequence node.
class Sequence : public Children<Node, 1> {};
/// The entries of a map node.
class Entries : public Children<Entry, 2> {};

/// What a text is, for messages.
struct Source {
    std::string name;                                 ///< a path, or "BOLT_INVENTORY"
    std::string what;                                 ///< "inventory file"
    std::string_view error_kind = "bolt/file-error";  ///< of a syntax error
    bool foreign =
        false;  ///< the data of a machine or service: nothing in it is evaluated, whatever it looks like
};

/// A parsed text: 16 bytes a node and 4 a child, all text in one piece. Immutable, so threads may share it.
class Document {
public:
    /// The first document of `text`. Throws Error of kind source.error_kind (details: path, line, column) for
    /// syntax errors, anchors and aliases (PRJ-011), bytes that are not UTF-8, and nesting deeper than 200.
    static std::unique_ptr<const Document> parse(std::string_view text, Source source);
    /// parse(read_file(path)).
    static std::unique_ptr<const Document> read(const std::filesystem::path& path, std::string_view what);
    /// The same shape for data that was never YAML (a plugin's answer). `name` stands in messages for it.
    static std::unique_ptr<const Document> from_json(const Json& data, std::string name,
                                                     bool foreign = false);

    /// Null for an empty text.
    Node root() const noexcept { return Node(this, root_); }
    const Source& source() const noexcept { return source_; }
    /// A key that a map has twice: only the last value counts, and the others went without a word.
    struct RepeatedKey {
        std::string key;
        Position first, last;
    };
    const std::vector<RepeatedKey>& repeated_keys() const noexcept { return repeated_keys_; }

private:
    friend class Node;
    friend class Builder;
    struct Item {
        std::uint32_t line = 0;
        std::uint16_t column = 0;  ///< saturates
        Kind kind = Kind::Null;
        bool quoted = false;
        std::uint32_t begin = 0;  ///< in text_ or children_
        std::uint32_t count = 0;  ///< bytes, elements or entries
    };
    explicit Document(Source source) : source_(std::move(source)) {}

    Source source_;
    std::string text_;
    std::vector<Item> items_;
    std::vector<std::uint32_t> children_;
    std::vector<RepeatedKey> repeated_keys_;
    std::uint32_t root_ = 0;
};

}  // namespace volley::yaml
