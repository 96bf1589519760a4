#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/ruby/native/object.hpp"
#include "language/text/regexp.hpp"

namespace volley::ruby {

struct Code;
struct BlockCode;
using CodePtr = std::unique_ptr<const Code>;

enum class Op : std::uint8_t {
    Nil,
    True,
    False,
    Self,
    Integer,       // integer
    Float,         // number
    String,        // text
    Interpolated,  // parts
    Symbol,        // text; literal
    SymbolOf,      // parts
    Pattern,       // pattern
    PatternOf,     // parts; integer = options
    Array,         // parts; a Splat among them is taken apart
    Hash,          // parts: key, value, ...; a null key stands before "**hash"
    Range,         // first, second (may be null); flag: exclusive
    Splat,         // first
    Local,         // slot of the frame that is `depth` further out
    SetLocal,      // the same; first
    Instance,      // slot
    SetInstance,   // slot; first
    Match,         // $~ with integer -1, $1 with 1
    Error,         // $!
    Module,        // text; literal
    Call,          // first (null: self), text, parts, pass, block; flag: "&."; slot: of own_methods, 0: none
    Operator,      // first, operation, parts[0]; text
    Yield,         // parts
    And,           // first, second
    Or,
    Not,       // first
    If,        // first, second, third (the last two may be null)
    While,     // first, second; flag: the body comes first; integer 1: until
    For,       // first = targets, second = list, third = body
    Case,      // first (may be null), parts = When, third
    When,      // parts, second
    Begin,     // second, parts = Rescue, third = else, first = ensure
    Rescue,    // parts, first = SetLocal of Error (may be null), second
    Body,      // parts
    Next,      // first (may be null); flag: only sets the jump, since nothing but statements are around it
    Break,     // the same; integer 1: of a loop
    Return,    // the same
    Lambda,    // block
    Assign,    // parts = targets, first = value: a multiple assignment
    Given,     // the value that a target of a multiple assignment gets
    SetIndex,  // first, parts = arguments, second = value
    Update,    // first = target as it is read, second = value, text = "||", "&&" or an operator; parts = SetX
               // of Given
    UpdateIndex,  // first, parts = arguments, second = value, text
    Defined,      // first: an Instance
    BlockGiven,
    Raise,    // parts
    Catch,    // parts, block
    Throw,    // parts
    Loop,     // block
    Unknown,  // text: what is not native about it
};

/// The operators that numbers, texts and lists know best.
enum class Operation : std::uint8_t {
    Other,
    Equal,
    Different,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Append,
    Index,
    IsNil,
    IsEmpty,
    Text
};

/// A step of a program. Nothing in it belongs to a run: it may be shared by threads.
struct Code {
    Op op = Op::Nil;
    Operation operation = Operation::Other;
    bool flag = false;
    bool keywords = false;  // the last of the parts is a Hash of keyword arguments
    std::uint32_t line = 0;
    std::uint32_t slot = 0;
    std::uint32_t depth = 0;
    std::uint32_t literal = 0;  // where a run keeps the object
    std::int64_t integer = 0;
    double number = 0;
    std::string text = {};
    std::vector<CodePtr> parts = {};
    CodePtr first = {};
    CodePtr second = {};
    CodePtr third = {};
    CodePtr pass = {};  // "&block"
    std::unique_ptr<const BlockCode> block = {};
    Ref<const Regexp> pattern = {};
};

/// What may be called: a method of the program, a block, a lambda.
struct BlockCode {
    struct Parameter {
        enum class Kind : std::uint8_t { Required, Optional, Rest, Block, Destructured };
        Kind kind = Kind::Required;
        std::uint32_t slot = 0;
        CodePtr initial = {};
        std::vector<Parameter> parts = {};
    };
    std::string name = {};  // of a method
    std::vector<Parameter> parameters = {};
    std::uint32_t slots = 0;
    CodePtr body = {};
    bool takes_pairs_apart = false;  // several parameters: one Array is all of them
    bool nests = false;              // has a block of its own, which keeps the variables
    std::size_t required() const;
    std::size_t most() const;  // Method::any with a Rest
};

/// A constant of a program.
struct Constant {
    CodePtr value = {};
    std::size_t place = 0;  // its turn among them: what stands after it is not known to its value
};

/// A compiled program. Immutable; may be used by several threads at once.
struct Program {
    BlockCode top;
    std::vector<std::unique_ptr<BlockCode>> methods;
    std::vector<const BlockCode*> own_methods = {
        nullptr};                        // what calls without a receiver mean; null: none of `methods`
    std::vector<std::string> instances;  // names of instance variables, by slot, with their "@"
    std::uint32_t literals = 0;
    std::unordered_map<std::string, Constant> constants;
    bool constants_may_change =
        false;                     // one of them is a text, a list, or something else that can be changed
    bool frozen_literals = false;  // "# frozen_string_literal: true"
    std::optional<NotNative> obstacle;  // why it cannot run here at all

    const BlockCode* method(std::string_view name) const;
};

}  // namespace volley::ruby
