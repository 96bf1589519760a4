#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "language/syntax/ast.hpp"
#include "language/syntax/lexer/lexer.hpp"

namespace volley {

/// Recursive descent with precedence climbing. It accepts what Puppet's grammar accepts and reports an error
/// at the same token. Private to the parser's files.
class Parser {
public:
    Parser(ast::Program& program, Lexer& lexer) : program_(program), lexer_(lexer) {}
    void parse();

private:
    using Node = ast::Node;
    using Nodes = std::vector<Node*>;
    using NodeKind = ast::NodeKind;

    /// One statement, or several expressions with commas between them: the arguments of a statement call.
    struct Statement {
        Nodes parts;
        Token first_comma;
    };

    // parser_statements.cpp
    Nodes statements();
    bool starts_statement();
    Nodes transform_calls(const std::vector<Statement>& list);
    Node* block_or_expression(const Nodes& list, const Token* left = nullptr, const Token* right = nullptr);
    Node* body_block(const Nodes& list, Span container);
    Node* assignment();
    Node* relationship();
    Node* epp_program();

    // parser_resources.cpp
    Node* resource();
    Node* resource_at();
    Node* class_resource();
    Node* resource_with_braces(Node* type);
    Node* titled_resource(Node* type);
    Node* untitled_resource(Node* type, const Token& left_brace);
    Node* resource_without_title(Node* left, const Nodes& operations, const Token& left_brace,
                                 const Token& right_brace);
    ast::ResourceBody* resource_body();
    bool attribute_follows();
    Nodes attribute_operations();
    Node* attribute_operation();
    Node* collect(Node* type);

    // parser_expressions.cpp
    Node* expression(int lowest = 1);
    Node* unary();
    Node* postfix(Node* left);
    Node* access(Node* left);
    Node* call(Node* functor);
    Node* method_call(Node* left);
    Node* selector(Node* left);
    Node* selector_entry();
    Nodes arguments(TokenKind close, bool trailing_comma);
    Node* argument();
    Node* access_argument();
    Node* collection_entry();
    Node* hash_entry();
    Node* hash_pair_after(Node* key);
    Node* unfolded_hash(Node* entry);
    void add_argument(Nodes& list, Node* item);
    Nodes access_arguments(bool trailing_comma);

    // parser_primary.cpp
    Node* primary();
    Node* number();
    Node* variable();
    Node* list();
    Node* hash();
    Node* hash_after_brace(const Token& left, Node* first_key);
    Node* parenthesized();
    Node* type_reference();
    Node* text_literal();
    Node* interpolated();
    Node* interpolated_text(Node* expr, Span container);
    Node* as_variable(Node* expr, Span container);
    Node* heredoc();
    Node* regexp();
    Node* if_expression();
    Node* else_part();
    Node* unless_expression();
    Node* case_expression();
    Node* render();

    // parser_definitions.cpp
    Node* class_definition();
    Node* define();
    Node* plan();
    Node* function();
    Node* node_definition();
    Node* hostname();
    Node* type_keyword();
    Node* type_definition(const Token& start, const Token& name);
    Node* type_alias();
    Node* alias_target();
    Node* apply();
    ast::Lambda* lambda();
    std::vector<ast::Parameter*> parameter_list();
    std::vector<ast::Parameter*> parameters(TokenKind close);
    ast::Parameter* parameter();
    Node* parameter_type();
    Node* return_type();
    std::string_view class_name();
    std::string_view qualified(std::string_view name);
    Node* add_definition(Node* node);
    /// "{ statements }": the body of a definition that begins at `start`, and with it the definition's end.
    template <class Definition>
    void braced_body(Definition& node, const Token& start);

    // parser.cpp
    const Token& peek(std::size_t ahead = 0);
    Token take();
    bool at(TokenKind kind) { return peek().kind == kind; }
    bool accept(TokenKind kind);
    Token expect(TokenKind kind);
    [[noreturn]] void unexpected(const Token& token);
    [[noreturn]] void fail(Span at, const std::string& message);

    template <class T>
    T* make(NodeKind kind, Span span) {
        T* node = program_.arena.make<T>();
        node->kind = kind;
        node->span = span;
        node->source = &program_.source;
        return node;
    }
    /// Call when the children are in place: bounds the height of the tree.
    template <class T>
    T* done(T* node) {
        measure(*node);
        return node;
    }
    void measure(Node& node);
    template <class T>
    std::span<T* const> keep(const std::vector<T*>& items) {
        return program_.arena.copy(items);
    }
    static Span from_to(Span first, Span last) { return {first.begin, last.end() - first.begin}; }
    Node* unary_node(NodeKind kind, Span span, Node* expr);
    Node* binary_node(NodeKind kind, Span span, std::string_view op, Node* left, Node* right);
    Node* name_node(Span span, std::string_view value);
    Node* string_node(Span span, std::string_view value);

    /// Counts recursion; hostile nesting ends in a ParseError.
    class Nested {
    public:
        explicit Nested(Parser& parser);
        ~Nested() { --parser_.depth_; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;

    private:
        Parser& parser_;
    };

    ast::Program& program_;
    Lexer& lexer_;
    std::deque<Token> ahead_;
    std::vector<std::string_view> namespace_;
    int depth_ = 0;
    const Node* without_title_ = nullptr;  // what resource_without_title() made last
};

}  // namespace volley
