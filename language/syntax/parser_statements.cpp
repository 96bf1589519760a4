#include <algorithm>

#include "language/syntax/parser_impl.hpp"

namespace volley {
namespace {

/// The functions that may be called without parentheses. Spec "Calls".
bool is_statement_call(std::string_view name) {
    static constexpr std::string_view names[] = {"require", "realize", "include", "contain", "tag",
                                                 "debug",   "info",    "notice",  "warning", "err",
                                                 "fail",    "import",  "break",   "next",    "return"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

bool Parser::starts_statement() {
    switch (peek().kind) {
        case TokenKind::Variable:
        case TokenKind::Number:
        case TokenKind::Boolean:
        case TokenKind::Default:
        case TokenKind::Undef:
        case TokenKind::Name:
        case TokenKind::ClassRef:
        case TokenKind::Regex:
        case TokenKind::String:
        case TokenKind::Word:
        case TokenKind::DqPre:
        case TokenKind::Heredoc:
        case TokenKind::LBrack:
        case TokenKind::ListStart:
        case TokenKind::LBrace:
        case TokenKind::LParen:
        case TokenKind::WsLParen:
        case TokenKind::Case:
        case TokenKind::If:
        case TokenKind::Unless:
        case TokenKind::Define:
        case TokenKind::Class:
        case TokenKind::Plan:
        case TokenKind::Apply:
        case TokenKind::Node:
        case TokenKind::RenderString:
        case TokenKind::RenderExpr:
        case TokenKind::Function:
        case TokenKind::Type:
        case TokenKind::Private:
        case TokenKind::Attr:
        case TokenKind::Minus:
        case TokenKind::Times:
        case TokenKind::Not:
        case TokenKind::At:
        case TokenKind::AtAt:
            return true;
        default:
            return false;
    }
}

Parser::Nodes Parser::statements() {
    std::vector<Statement> list;
    do {
        Statement statement;
        statement.parts.push_back(assignment());
        while (at(TokenKind::Comma)) {
            const Token comma = take();
            if (statement.parts.size() == 1) statement.first_comma = comma;
            statement.parts.push_back(assignment());
        }
        list.push_back(std::move(statement));
    } while (accept(TokenKind::Semic) || starts_statement());
    return transform_calls(list);
}

/// A name such as "include" followed by expressions is a call. Other lists with commas are wrong.
Parser::Nodes Parser::transform_calls(const std::vector<Statement>& list) {
    Nodes result;
    for (const Statement& statement : list) {
        Node* before = result.empty() ? nullptr : result.back();
        if (before && before->kind == NodeKind::Name &&
            is_statement_call(ast::as<ast::Name>(*before).value)) {
            auto* call = make<ast::Call>(NodeKind::Call, from_to(before->span, statement.parts.back()->span));
            call->functor = before;
            call->arguments = keep(statement.parts);
            result.back() = done(call);
        } else if (statement.parts.size() > 1) {
            if (before && before->kind == NodeKind::Name) {
                fail(statement.first_comma.span, "attempt to pass argument list to the function '" +
                                                     std::string(ast::as<ast::Name>(*before).value) +
                                                     "' which cannot be called without parentheses");
            }
            fail(statement.first_comma.span, "illegal comma separated argument list");
        } else {
            Node* node = statement.parts.front();
            if (node->kind == NodeKind::Call) ast::as<ast::Call>(*node).value_needed = false;
            result.push_back(node);
        }
    }
    return result;
}

ast::Node* Parser::block_or_expression(const Nodes& list, const Token* left, const Token* right) {
    if (list.size() == 1) return list.front();
    const Span span =
        left && right ? from_to(left->span, right->span) : from_to(list.front()->span, list.back()->span);
    auto* block = make<ast::Block>(NodeKind::Block, span);
    block->statements = keep(list);
    return done(block);
}

/// The body of a definition is a block even when it holds one statement; it stands where its container does.
ast::Node* Parser::body_block(const Nodes& list, Span container) {
    auto* block = make<ast::Block>(NodeKind::Block, {container.begin, 0});
    block->statements = keep(list);
    return done(block);
}

ast::Node* Parser::assignment() {
    const Nested nested(*this);
    Node* left = relationship();
    if (!at(TokenKind::Equals) && !at(TokenKind::Appends) && !at(TokenKind::Deletes)) return left;
    const Token op = take();
    return binary_node(NodeKind::Assignment, op.span, op.text, left, assignment());
}

ast::Node* Parser::relationship() {
    Node* left = resource();
    while (at(TokenKind::InEdge) || at(TokenKind::InEdgeSub) || at(TokenKind::OutEdge) ||
           at(TokenKind::OutEdgeSub)) {
        const Token op = take();
        left = binary_node(NodeKind::Relationship, op.span, op.text, left, resource());
    }
    return left;
}

/// A template is a lambda: its parameters, and a body that renders.
ast::Node* Parser::epp_program() {
    const Token start = take();
    auto* epp = make<ast::Epp>(NodeKind::Epp, {start.span.begin, 0});
    auto* lambda = make<ast::Lambda>(NodeKind::Lambda, start.span);
    if (accept(TokenKind::Pipe)) {
        epp->parameters_specified = true;
        lambda->parameters = keep(parameters(TokenKind::Pipe));
        expect(TokenKind::Pipe);
    }
    if (starts_statement()) epp->body = body_block(statements(), start.span);
    lambda->body = done(epp);
    return done(lambda);
}

}  // namespace volley
