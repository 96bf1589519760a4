#include "language/syntax/parser.hpp"

#include <algorithm>

#include "language/execution_state.hpp"
#include "language/syntax/ast_walk.hpp"
#include "language/syntax/parser_impl.hpp"

namespace volley {
namespace {

constexpr int max_depth = 1000;   // about two for each bracket
constexpr int max_height = 3000;  // a chain of operators is as high as it is long

}  // namespace

Parser::Nested::Nested(Parser& parser) : parser_(parser) {
    if (parser.depth_ >= max_depth || stack_is_low()) {
        throw ParseError("NESTING_TOO_DEEP", "The expression is nested too deeply",
                         parser.program_.source.location(parser.peek().span.begin));
    }
    ++parser.depth_;
}

const Token& Parser::peek(std::size_t ahead) {
    while (ahead_.size() <= ahead) ahead_.push_back(lexer_.next());
    return ahead_[ahead];
}

Token Parser::take() {
    const Token token = peek();
    ahead_.pop_front();
    return token;
}

bool Parser::accept(TokenKind kind) {
    if (!at(kind)) return false;
    take();
    return true;
}

Token Parser::expect(TokenKind kind) {
    if (!at(kind)) unexpected(peek());
    return take();
}

void Parser::unexpected(const Token& token) {
    if (token.kind == TokenKind::EndOfInput) {
        throw ParseError("SYNTAX_ERROR", "Syntax error at end of input", {program_.source.file(), 0, 0});
    }
    const std::string shown =
        token.kind == TokenKind::Regex ? Regexp::compile(token.text)->to_text() : std::string(token.text);
    throw ParseError("SYNTAX_ERROR", "Syntax error at '" + shown + "'",
                     program_.source.location(token.span.begin));
}

void Parser::fail(Span at, const std::string& message) {
    throw ParseError("", message, program_.source.location(at.begin));
}

void Parser::measure(Node& node) {
    int height = 0;
    ast::for_each_child(node, [&height](const Node& child) { height = std::max<int>(height, child.height); });
    if (height >= max_height) fail(node.span, "The expression is nested too deeply");
    node.height = static_cast<std::uint16_t>(height + 1);
}

ast::Node* Parser::unary_node(NodeKind kind, Span span, Node* expr) {
    auto* node = make<ast::Unary>(kind, span);
    node->expr = expr;
    return done(node);
}

ast::Node* Parser::binary_node(NodeKind kind, Span span, std::string_view op, Node* left, Node* right) {
    auto* node = make<ast::Binary>(kind, span);
    node->op = op;
    node->left = left;
    node->right = right;
    return done(node);
}

ast::Node* Parser::name_node(Span span, std::string_view value) {
    auto* node = make<ast::Name>(NodeKind::Name, span);
    node->value = value;
    return node;
}

ast::Node* Parser::string_node(Span span, std::string_view value) {
    auto* node = make<ast::String>(NodeKind::String, span);
    node->value = value;
    return node;
}

void Parser::parse() {
    if (at(TokenKind::EppStart)) {
        program_.body = epp_program();
    } else if (at(TokenKind::EndOfInput)) {
        program_.body = make<Node>(NodeKind::Nop, peek().span);
    } else {
        program_.body = block_or_expression(statements());
    }
    if (!at(TokenKind::EndOfInput)) unexpected(peek());
}

std::shared_ptr<const ast::Program> parse_program(std::string text, const ParseOptions& options) {
    auto program = std::make_shared<ast::Program>(Source(std::move(text), options.file));
    Lexer lexer(program->source, program->arena, {.tasks = options.tasks, .epp = options.epp});
    Parser(*program, lexer).parse();
    program->diagnostics = lexer.diagnostics();
    return program;
}

}  // namespace volley
