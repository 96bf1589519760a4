#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace volley::ruby_source {

struct Node;
using NodePtr = std::unique_ptr<const Node>;

struct Parameter {
    enum class Kind : std::uint8_t { Required, Optional, Rest, Keyword, KeywordRest, Block };
    Kind kind = Kind::Required;
    std::string name;
    NodePtr initial;
};

/// A piece of Ruby as far as it must be understood. What is not, is Unknown.
struct Node {
    enum class Kind : std::uint8_t {
        Unknown,
        Nil,
        True,
        False,
        Self,
        File,        // __FILE__
        Directory,   // __dir__
        Integer,     // text
        Text,        // parts
        Symbol,      // parts
        Pattern,     // parts; flags in `text`
        Array,       // parts
        Hash,        // parts: key, value, key, value; a key that is null stands before "**hash"
        Constant,    // text "A::B"
        Instance,    // @text
        Name,        // text: a local variable, or a call without arguments
        Call,        // receiver (may be null), text, parts, block (may be null)
        Splat,       // first
        BlockPass,   // first: "&block"
        Assign,      // first = target, second = value, text = "=", "+=", "||="
        Binary,      // first, text, second
        Not,         // first
        If,          // first = condition, second and third (may be null)
        Body,        // parts, in turn
        Definition,  // text, parameters, second = body; `singleton` for "def self.text"
        Module,      // text "A::B"; second = body; `singleton` for "class << self"
        Lambda,      // parameters, second = body; also the block of a call
        Return,      // first (may be null)
    };
    Kind kind = Kind::Unknown;
    bool singleton = false;
    std::uint32_t line = 0;
    std::string text = {};
    std::vector<NodePtr> parts = {};
    NodePtr first = {};
    NodePtr second = {};
    NodePtr third = {};
    NodePtr block = {};
    std::vector<Parameter> parameters = {};
};

/// Parses Ruby as far as a resource type needs it. A statement that is not understood becomes Unknown; the
/// rest of the file is read all the same. Throws Error puppet-type-unreadable where tokenize() does.
NodePtr parse_ruby(std::string_view source);

}  // namespace volley::ruby_source
