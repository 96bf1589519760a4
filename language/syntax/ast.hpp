#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "language/syntax/arena.hpp"
#include "language/syntax/lexer/lexer.hpp"
#include "language/syntax/source.hpp"
#include "language/text/regexp.hpp"

/// The tree of a program. Nodes live in the arena of their Program, hold views into it, and never change
/// once the parser has returned.
namespace volley::ast {

enum class NodeKind : std::uint8_t {
    Nop,
    Undef,
    Default,
    Boolean,
    Integer,
    Float,
    String,
    Regexp,
    Name,
    Reference,
    Reserved,
    Variable,
    Text,
    Concatenated,
    Heredoc,
    List,
    Hash,
    Entry,
    Access,
    And,
    Or,
    In,
    Arithmetic,
    Comparison,
    Match,
    Assignment,
    Relationship,
    NamedAccess,
    Not,
    Minus,
    Unfold,
    Paren,
    Block,
    Call,
    CallMethod,
    Lambda,
    Parameter,
    If,
    Unless,
    Case,
    CaseOption,
    Selector,
    SelectorEntry,
    Resource,
    ResourceBody,
    ResourceDefaults,
    ResourceOverride,
    Attribute,
    AttributeSplat,
    Collect,
    VirtualQuery,
    ExportedQuery,
    Class,
    Define,
    Function,
    Plan,
    NodeDefinition,
    TypeAlias,
    TypeMapping,
    TypeDefinition,
    Apply,
    ApplyBlock,
    Epp,
    Render,
    RenderString,
    Program,
};

struct Node {
    NodeKind kind;
    std::uint16_t height = 1;  // of the tree below; the parser bounds it
    Span span;
    const Source* source = nullptr;
    Location location() const { return source->location(span.begin); }
};
using NodeList = std::span<Node* const>;

struct Boolean : Node {
    bool value;
};
/// `digits` is the number as written; `fits` is false when 64 bits cannot hold it.
struct Integer : Node {
    std::int64_t value;
    int radix;
    bool fits;
    std::string_view digits;
};
struct Float : Node {
    double value;
};
struct String : Node {
    std::string_view value;
};
struct RegexpLiteral : Node {
    const volley::Regexp* value;
};
struct Name : Node {
    std::string_view value;
};
struct Reference : Node {
    std::string_view cased_value;
    std::string_view value;
};
struct Reserved : Node {
    std::string_view word;
};
/// `expr` is a Name, or an Integer for $1. `plain`: a name of one segment that is not a number, the usual
/// case.
struct Variable : Node {
    Node* expr;
    bool plain;
};
struct Unary : Node {
    Node* expr;
};
struct Binary : Node {
    std::string_view op;
    Node* left;
    Node* right;
};
struct Concatenated : Node {
    NodeList segments;
};
struct Heredoc : Node {
    std::string_view syntax;
    Node* text;
};
struct List : Node {
    NodeList values;
};
struct Entry : Node {
    Node* key;
    Node* value;
};
struct Hash : Node {
    std::span<Entry* const> entries;
    bool unfolded;
};
struct Access : Node {
    Node* left;
    NodeList keys;
};
struct Block : Node {
    NodeList statements;
};
struct Parameter : Node {
    std::string_view name;
    Node* type;
    Node* value;
    bool captures_rest;
};
struct Lambda : Node {
    std::span<Parameter* const> parameters;
    Node* body;
    Node* return_type;
};
/// A call by name, or of the result of an expression; CallMethod has a NamedAccess as functor.
struct Call : Node {
    Node* functor;
    NodeList arguments;
    Lambda* lambda;
    bool value_needed;
};
struct If : Node {
    Node* test;
    Node* then;
    Node* otherwise;
};  // also Unless
struct CaseOption : Node {
    NodeList values;
    Node* then;
};
struct Case : Node {
    Node* test;
    std::span<CaseOption* const> options;
};
struct SelectorEntry : Node {
    Node* match;
    Node* value;
};
struct Selector : Node {
    Node* left;
    std::span<SelectorEntry* const> selectors;
};
struct Attribute : Node {
    std::string_view name;
    std::string_view op;
    Node* value;
};  // op is "=>" or "+>"
struct ResourceBody : Node {
    Node* title;
    NodeList operations;
};  // of Attribute and AttributeSplat (Unary)
struct AbstractResource : Node {
    std::string_view form;
};  // "regular", "virtual", "exported"
struct Resource : AbstractResource {
    Node* type_name;
    std::span<ResourceBody* const> bodies;
};
struct ResourceDefaults : AbstractResource {
    Node* type_ref;
    NodeList operations;
};
struct ResourceOverride : AbstractResource {
    Node* resources;
    NodeList operations;
};
struct Collect : Node {
    Node* type_expr;
    Unary* query;
    NodeList operations;
};
/// Class, Define, Function and Plan.
struct Definition : Node {
    std::string_view name;
    std::span<Parameter* const> parameters;
    Node* body;
    std::string_view parent;  // Class: empty when it inherits nothing
    Node* return_type;        // Function
};
struct NodeDefinition : Node {
    NodeList matches;
    Node* parent;
    Node* body;
};
struct TypeAlias : Node {
    std::string_view name;
    Node* type_expr;
};
struct TypeMapping : Node {
    Node* type_expr;
    Node* mapping;
};
struct TypeDefinition : Node {
    std::string_view name;
    std::string_view parent;
    Node* body;
};
struct Apply : Node {
    NodeList arguments;
    Node* body;
};
struct Epp : Node {
    bool parameters_specified;
    Node* body;
};
struct RenderString : Node {
    std::string_view value;
};

/// One parsed text and everything it owns.
struct Program {
    explicit Program(Source text) : source(std::move(text)) {}
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const Source source;
    Arena arena;
    Node* body = nullptr;
    std::vector<Node*> definitions;  // classes, defines, functions, plans, nodes, types: inner ones first
    std::vector<Ref<const volley::Regexp>> regexps;
    std::vector<Diagnostic> diagnostics;
};

template <class T>
const T& as(const Node& node) {
    return static_cast<const T&>(node);
}
template <class T>
T& as(Node& node) {
    return static_cast<T&>(node);
}

}  // namespace volley::ast
