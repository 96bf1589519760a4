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
    enum class Kind : std::uint8_t {
        Required,
        Optional,
        Rest,
        Keyword,
        KeywordRest,
        Block,
        Destructured,  // "(a, b)": parts
        Local,         // "|a; b|"
        Strange,       // something else
    };
    Kind kind = Kind::Required;
    std::string name = {};
    NodePtr initial = {};
    std::vector<Parameter> parts = {};
};

/// A piece of Ruby, to the extent it must be understood. What is not, is Unknown.
struct Node {
    enum class Kind : std::uint8_t {
        Unknown,
        Nil,
        True,
        False,
        Self,
        File,        // __FILE__
        Directory,   // __dir__
        Number,      // text as it is written, with its sign
        Text,        // parts
        Symbol,      // parts
        Pattern,     // parts; flags in `text`
        Array,       // parts
        Hash,        // parts: key, value, key, value; a key that is null stands before "**hash"
        Constant,    // text "A::B"
        Instance,    // @text
        Name,        // text: a local variable, or a call without arguments
        Call,        // first = receiver (may be null), text, parts, block (may be null); `safe` for "&."
        Splat,       // first
        BlockPass,   // first: "&block"
        Assign,      // first = target, second = value, text = "=", "+=", "||="; an Array for several values
        Binary,      // first, text, second (null in "1..")
        Not,         // first
        Unary,       // text "-", first
        If,          // first = condition, second and third (may be null)
        While,       // text "while" or "until", first, second = body; `singleton`: the body comes first
        For,         // first = target, second = list, third = body
        Case,        // first (may be null), parts = When, third = else (may be null)
        When,        // parts = what is compared, second = body
        Begin,       // second = body, parts = Rescue, third = else, block = ensure (both may be null)
        Rescue,      // parts = classes, first = target (may be null), second = body
        Targets,     // parts: of a multiple assignment
        Body,        // parts, in turn
        Definition,  // text, parameters, second = body; `singleton` for "def self.text"
        Module,      // text "A::B"; second = body; `singleton` for "class << self"
        Lambda,      // parameters, second = body; also the block of a call
        Return,      // text "return", "next", "break", "redo" or "retry"; first (may be null)
    };
    Kind kind = Kind::Unknown;
    bool singleton = false;
    bool safe = false;
    bool labels = false;  // a Hash without braces: keyword arguments
    std::uint32_t line = 0;
    std::string text = {};
    std::vector<NodePtr> parts = {};
    NodePtr first = {};
    NodePtr second = {};
    NodePtr third = {};
    NodePtr block = {};
    std::vector<Parameter> parameters = {};
};

/// Parses the Ruby that resource types, templates and functions need. A statement that is not understood
/// becomes Unknown; the rest of the file is read all the same. Throws Error puppet-type-unreadable where
/// tokenize() does.
NodePtr parse_ruby(std::string_view source);

}  // namespace volley::ruby_source
