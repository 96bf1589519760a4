#pragma once

#include <string_view>

#include "support/yaml/document.hpp"

namespace volley::yaml {

/// Hears what a YAML text consists of, in its order. For readers whose data may hold anchors, aliases, tags
/// and keys that are not text, which a Document refuses; the anchors of a text count from 1, 0 is none.
class Events {
public:
    struct Node {
        std::string_view tag;  ///< "!name", "tag:yaml.org,2002:str"; empty when none is written
        std::size_t anchor = 0;
        Position at;
    };
    virtual ~Events() = default;
    /// `plain`: neither in quotes nor a block, so that its text decides what it is.
    virtual void scalar(const Node& node, std::string_view text, bool plain) = 0;
    virtual void alias(std::size_t anchor, Position at) = 0;
    virtual void open(Kind kind, const Node& node) = 0;  ///< a Sequence or a Map: keys and values in turn
    virtual void close() = 0;
};

/// Reads the first document of `text`; what `events` throws passes. Throws Error of kind source.error_kind
/// (details: path, line, column) for syntax errors, bytes that are not UTF-8 and nesting deeper than 200.
void read(std::string_view text, const Source& source, Events& events);

/// The same without the short way for common texts (yaml_common.hpp), whose measure this is.
void read_fully(std::string_view text, const Source& source, Events& events);

/// Throws the Error of that kind, naming the place.
[[noreturn]] void fail(const Source& source, std::string_view problem, Position at);

}  // namespace volley::yaml
