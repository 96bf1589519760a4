#include "language/syntax/parser_impl.hpp"

namespace volley {
namespace {

struct Infix {
    int precedence = 0;  // 0: not an operator; higher binds tighter
    ast::NodeKind kind = ast::NodeKind::Nop;
};

/// Spec "Expression Precedence". All are left associative.
Infix infix_of(TokenKind kind) {
    using ast::NodeKind;
    switch (kind) {
        case TokenKind::Or:
            return {1, NodeKind::Or};
        case TokenKind::And:
            return {2, NodeKind::And};
        case TokenKind::QMark:
            return {3, NodeKind::Selector};
        case TokenKind::GreaterThan:
        case TokenKind::GreaterEqual:
        case TokenKind::LessThan:
        case TokenKind::LessEqual:
            return {4, NodeKind::Comparison};
        case TokenKind::IsEqual:
        case TokenKind::NotEqual:
            return {5, NodeKind::Comparison};
        case TokenKind::LShift:
        case TokenKind::RShift:
            return {6, NodeKind::Arithmetic};
        case TokenKind::Plus:
        case TokenKind::Minus:
            return {7, NodeKind::Arithmetic};
        case TokenKind::Times:
        case TokenKind::Div:
        case TokenKind::Modulo:
            return {8, NodeKind::Arithmetic};
        case TokenKind::Match:
        case TokenKind::NoMatch:
            return {9, NodeKind::Match};
        case TokenKind::In:
            return {10, NodeKind::In};
        default:
            return {};
    }
}

}  // namespace

ast::Node* Parser::expression(int lowest) {
    const Nested nested(*this);
    Node* left = unary();
    for (Infix infix = infix_of(peek().kind); infix.precedence >= lowest && infix.precedence > 0;
         infix = infix_of(peek().kind)) {
        if (infix.kind == NodeKind::Selector) {
            left = selector(left);
            continue;
        }
        const Token op = take();
        left = binary_node(infix.kind, op.span, op.text, left, expression(infix.precedence + 1));
    }
    return left;
}

ast::Node* Parser::unary() {
    const TokenKind kind = peek().kind;
    if (kind != TokenKind::Minus && kind != TokenKind::Not && kind != TokenKind::Times)
        return postfix(primary());
    const Nested nested(*this);
    const Token op = take();
    const NodeKind node = kind == TokenKind::Minus ? NodeKind::Minus
                          : kind == TokenKind::Not ? NodeKind::Not
                                                   : NodeKind::Unfold;
    return unary_node(node, op.span, unary());
}

ast::Node* Parser::postfix(Node* left) {
    for (;;) {
        switch (peek().kind) {
            case TokenKind::LBrack:
                left = access(left);
                break;
            case TokenKind::LParen:
                left = call(left);
                break;
            case TokenKind::Dot:
                left = method_call(left);
                break;
            case TokenKind::LCollect:
            case TokenKind::LlCollect:
                left = collect(left);
                break;
            default:
                return left;
        }
    }
}

ast::Node* Parser::access(Node* left) {
    take();
    const Nodes keys = access_arguments(true);
    const Token close = expect(TokenKind::RBrack);
    auto* node = make<ast::Access>(NodeKind::Access, from_to(left->span, close.span));
    node->left = left;
    node->keys = keep(keys);
    return done(node);
}

ast::Node* Parser::call(Node* functor) {
    take();
    const Nodes list = arguments(TokenKind::RParen, true);
    const Token close = expect(TokenKind::RParen);
    auto* node = make<ast::Call>(NodeKind::Call, from_to(functor->span, close.span));
    node->functor = functor;
    node->value_needed = true;
    node->arguments = keep(list);
    if (at(TokenKind::Pipe)) {
        node->lambda = lambda();
        node->span = from_to(functor->span, node->lambda->span);
    }
    return done(node);
}

ast::Node* Parser::method_call(Node* left) {
    const Token dot = take();
    if (!at(TokenKind::Name) && !at(TokenKind::Type)) unexpected(peek());
    const Token name = take();
    Node* functor = binary_node(NodeKind::NamedAccess, from_to(dot.span, name.span), ".", left,
                                name_node({dot.span.begin, 0}, name.text));
    auto* node = make<ast::Call>(NodeKind::CallMethod, functor->span);
    node->functor = functor;
    node->value_needed = true;
    if (at(TokenKind::LParen)) {
        const Token open = take();
        node->arguments = keep(arguments(TokenKind::RParen, false));
        node->span = from_to(open.span, expect(TokenKind::RParen).span);
    }
    if (at(TokenKind::Pipe)) node->lambda = lambda();
    return done(node);
}

ast::Node* Parser::selector(Node* left) {
    take();
    std::vector<ast::SelectorEntry*> entries;
    if (accept(TokenKind::SelBrace)) {
        do {
            if (at(TokenKind::RBrace) && !entries.empty()) break;
            entries.push_back(static_cast<ast::SelectorEntry*>(selector_entry()));
        } while (accept(TokenKind::Comma));
        expect(TokenKind::RBrace);
    } else {
        entries.push_back(static_cast<ast::SelectorEntry*>(selector_entry()));
    }
    auto* node = make<ast::Selector>(NodeKind::Selector, left->span);
    node->left = left;
    node->selectors = keep(entries);
    return done(node);
}

ast::Node* Parser::selector_entry() {
    Node* match = expression();
    auto* node = make<ast::SelectorEntry>(NodeKind::SelectorEntry, expect(TokenKind::FArrow).span);
    node->match = match;
    node->value = expression();
    return done(node);
}

/// Entries "a => 1" that follow each other in a list become one hash.
void Parser::add_argument(Nodes& list, Node* item) {
    const auto unfolded = [](const Node* node) {
        return node->kind == NodeKind::Hash && ast::as<ast::Hash>(*node).unfolded;
    };
    if (list.empty() || !unfolded(item) || !unfolded(list.back())) {
        list.push_back(item);
        return;
    }
    auto& last = ast::as<ast::Hash>(*list.back());
    std::vector<ast::Entry*> entries(last.entries.begin(), last.entries.end());
    const auto& more = ast::as<ast::Hash>(*item).entries;
    entries.insert(entries.end(), more.begin(), more.end());
    last.entries = keep(entries);
    done(&last);
}

Parser::Nodes Parser::arguments(TokenKind close, bool trailing_comma) {
    Nodes list;
    if (at(close)) return list;
    add_argument(list, argument());
    while (accept(TokenKind::Comma)) {
        if (trailing_comma && at(close)) break;
        add_argument(list, argument());
    }
    return list;
}

ast::Node* Parser::argument() {
    // "type" and "function" are keys here, and only here.
    const bool key = (at(TokenKind::Type) || at(TokenKind::Function)) && peek(1).kind == TokenKind::FArrow;
    Node* first = key ? hash_entry() : assignment();
    return at(TokenKind::FArrow) ? unfolded_hash(first) : first;
}

Parser::Nodes Parser::access_arguments(bool trailing_comma) {
    Nodes list;
    do {
        if (trailing_comma && !list.empty() && at(TokenKind::RBrack)) break;
        add_argument(list, access_argument());
    } while (accept(TokenKind::Comma));
    return list;
}

/// An expression, or an entry of a hash; assignments, arrows and resources stand only in entries.
ast::Node* Parser::access_argument() {
    Node* key = argument();
    if (key == without_title_) unexpected(peek());
    switch (key->kind) {
        case NodeKind::Assignment:
        case NodeKind::Relationship:
        case NodeKind::Resource:
        case NodeKind::ResourceDefaults:
        case NodeKind::ResourceOverride:
            unexpected(peek());
        default:
            return key;
    }
}

ast::Node* Parser::collection_entry() {
    Node* first = hash_entry();
    return at(TokenKind::FArrow) ? unfolded_hash(first) : first;
}

/// An assignment, or the word "type" or "function" on its own.
ast::Node* Parser::hash_entry() {
    if (at(TokenKind::Type) || at(TokenKind::Function)) {
        const TokenKind next = peek(1).kind;
        const bool definition = at(TokenKind::Type)
                                    ? next == TokenKind::LParen || next == TokenKind::ClassRef
                                    : next == TokenKind::Name || next == TokenKind::Word ||
                                          next == TokenKind::ClassRef || next == TokenKind::Class ||
                                          next == TokenKind::String;
        if (!definition) {
            const Token word = take();
            return string_node(word.span, word.text);
        }
    }
    return assignment();
}

ast::Node* Parser::hash_pair_after(Node* key) {
    auto* entry = make<ast::Entry>(NodeKind::Entry, expect(TokenKind::FArrow).span);
    entry->key = key;
    entry->value = hash_entry();
    return done(entry);
}

ast::Node* Parser::unfolded_hash(Node* key) {
    auto* entry = static_cast<ast::Entry*>(hash_pair_after(key));
    auto* node = make<ast::Hash>(NodeKind::Hash, entry->span);
    node->entries = keep(std::vector<ast::Entry*>{entry});
    node->unfolded = true;
    return done(node);
}

}  // namespace volley
