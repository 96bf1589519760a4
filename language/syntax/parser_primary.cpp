#include <charconv>
#include <cmath>
#include <string>

#include "language/syntax/lexer/characters.hpp"
#include "language/syntax/parser_impl.hpp"
#include "support/text.hpp"

namespace volley {

ast::Node* Parser::primary() {
    const Token& token = peek();
    switch (token.kind) {
        case TokenKind::Variable:
            return variable();
        case TokenKind::Number:
            return number();
        case TokenKind::Boolean: {
            const Token word = take();
            auto* node = make<ast::Boolean>(NodeKind::Boolean, word.span);
            node->value = word.text == "true";
            return node;
        }
        case TokenKind::Default:
            return make<Node>(NodeKind::Default, take().span);
        case TokenKind::Undef:
            return make<Node>(NodeKind::Undef, take().span);
        case TokenKind::Name: {
            const Token name = take();
            return name_node(name.span, name.text);
        }
        case TokenKind::ClassRef:
            return type_reference();
        case TokenKind::Regex:
            return regexp();
        case TokenKind::String:
        case TokenKind::Word:
        case TokenKind::DqPre:
        case TokenKind::Heredoc:
            return text_literal();
        case TokenKind::LBrack:
        case TokenKind::ListStart:
            return list();
        case TokenKind::LBrace:
            return hash();
        case TokenKind::LParen:
        case TokenKind::WsLParen:
            return parenthesized();
        case TokenKind::Case:
            return case_expression();
        case TokenKind::If:
            return if_expression();
        case TokenKind::Unless:
            return unless_expression();
        case TokenKind::Define:
            return define();
        case TokenKind::Class:
            return class_definition();
        case TokenKind::Plan:
            return plan();
        case TokenKind::Apply:
            return apply();
        case TokenKind::Node:
            return node_definition();
        case TokenKind::Function:
            return function();
        case TokenKind::Type:
            return type_keyword();
        case TokenKind::RenderString:
        case TokenKind::RenderExpr:
            return render();
        case TokenKind::Private:
        case TokenKind::Attr: {
            const Token word = take();
            auto* node = make<ast::Reserved>(NodeKind::Reserved, word.span);
            node->word = word.text;
            return node;
        }
        default:
            unexpected(token);
    }
}

ast::Node* Parser::number() {
    const Token token = take();
    const std::string_view text = token.text;
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (!hex && text.find_first_of(".eE") != std::string_view::npos) {
        double value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        const std::size_t tail = text.find_first_of(".eE");
        const std::size_t mark = text.find_first_of("eE");
        // Compatibility: zero with an exponent, and what a double cannot hold, are not numbers.
        const bool odd_zero =
            mark != std::string_view::npos &&
            text.substr(0, tail).find_first_not_of('0') == std::string_view::npos &&
            text.substr(tail, mark - tail).find_first_not_of(".0") == std::string_view::npos;
        if (odd_zero || std::isinf(std::strtod(std::string(text).c_str(), nullptr))) {
            throw ParseError(
                "", "Internal Error, NUMBER token does not contain a valid number, " + std::string(text));
        }
        auto* node = make<ast::Float>(NodeKind::Float, token.span);
        node->value = std::strtod(std::string(text).c_str(), nullptr);
        return node;
    }
    auto* node = make<ast::Integer>(NodeKind::Integer, token.span);
    node->radix = hex ? 16 : text.size() > 1 && text[0] == '0' ? 8 : 10;
    node->digits = text;
    const std::string_view digits = hex ? text.substr(2) : text;
    const auto result =
        std::from_chars(digits.data(), digits.data() + digits.size(), node->value, node->radix);
    node->fits = result.ec == std::errc{};
    return node;
}

ast::Node* Parser::variable() {
    const Token token = take();
    const Span name = token.span.length > 0 ? Span{token.span.begin + 1, token.span.length - 1} : token.span;
    return as_variable(name_node(name, token.text), token.span);
}

ast::Node* Parser::list() {
    const Token open = take();
    Nodes values;
    if (!at(TokenKind::RBrack)) {
        add_argument(values, collection_entry());
        while (accept(TokenKind::Comma)) {
            if (at(TokenKind::RBrack)) break;
            add_argument(values, collection_entry());
        }
    }
    auto* node = make<ast::List>(NodeKind::List, from_to(open.span, expect(TokenKind::RBrack).span));
    node->values = keep(values);
    return done(node);
}

ast::Node* Parser::hash() {
    const Token open = take();
    return hash_after_brace(open, nullptr);
}

/// The rest of a hash; its first key may have been read already.
ast::Node* Parser::hash_after_brace(const Token& left, Node* first_key) {
    std::vector<ast::Entry*> entries;
    if (first_key) {
        entries.push_back(static_cast<ast::Entry*>(hash_pair_after(first_key)));
        if (!at(TokenKind::RBrace) && !at(TokenKind::Comma)) unexpected(peek());
        accept(TokenKind::Comma);
    }
    while (!at(TokenKind::RBrace)) {
        entries.push_back(static_cast<ast::Entry*>(hash_pair_after(hash_entry())));
        if (!accept(TokenKind::Comma)) break;
    }
    auto* node = make<ast::Hash>(NodeKind::Hash, from_to(left.span, expect(TokenKind::RBrace).span));
    node->entries = keep(entries);
    return done(node);
}

ast::Node* Parser::parenthesized() {
    const Token open = take();
    Node* inner = assignment();
    expect(TokenKind::RParen);
    return unary_node(NodeKind::Paren, open.span, inner);
}

ast::Node* Parser::type_reference() {
    const Token token = expect(TokenKind::ClassRef);
    auto* node = make<ast::Reference>(NodeKind::Reference, token.span);
    node->cased_value = token.text;
    node->value = program_.arena.copy(lower(token.text));
    return node;
}

ast::Node* Parser::regexp() {
    const Token token = take();
    auto* node = make<ast::RegexpLiteral>(NodeKind::Regexp, token.span);
    program_.regexps.push_back(Regexp::compile(token.text));
    node->value = program_.regexps.back().get();
    return node;
}

ast::Node* Parser::text_literal() {
    if (at(TokenKind::Heredoc)) return heredoc();
    if (at(TokenKind::DqPre)) return interpolated();
    if (!at(TokenKind::String) && !at(TokenKind::Word)) unexpected(peek());
    const Token token = take();
    return string_node(token.span, token.text);
}

ast::Node* Parser::interpolated() {
    const Token first = take();
    Nodes segments;
    const auto add_text = [&](const Token& token) {
        if (!token.text.empty()) segments.push_back(string_node(token.span, token.text));
    };
    add_text(first);
    Token last = first;
    do {
        segments.push_back(interpolated_text(assignment(), first.span));
        if (!at(TokenKind::DqMid) && !at(TokenKind::DqPost)) unexpected(peek());
        last = take();
        add_text(last);
    } while (last.kind == TokenKind::DqMid);
    auto* node = make<ast::Concatenated>(NodeKind::Concatenated, from_to(first.span, last.span));
    node->segments = keep(segments);
    return done(node);
}

ast::Node* Parser::interpolated_text(Node* expr, Span container) {
    const Span here{container.begin, 0};
    Node* shown = expr;
    if (expr->kind == NodeKind::Integer || expr->kind == NodeKind::Name) {
        shown = as_variable(expr, here);
    } else {
        // "${name[1]}" and "${name.call}" begin with a variable too.
        Node** place = nullptr;
        const auto inner = [](Node& node) -> Node** {
            switch (node.kind) {
                case NodeKind::Access:
                    return &ast::as<ast::Access>(node).left;
                case NodeKind::NamedAccess:
                    return &ast::as<ast::Binary>(node).left;
                case NodeKind::CallMethod:
                    return &ast::as<ast::Call>(node).functor;
                default:
                    return nullptr;
            }
        };
        for (Node** next = inner(*expr); next; next = inner(**place)) place = next;
        if (place) {
            const bool number =
                (*place)->kind == NodeKind::Integer && ast::as<ast::Integer>(**place).radix == 10;
            if (number || (*place)->kind == NodeKind::Name) *place = as_variable(*place, here);
        }
    }
    return unary_node(NodeKind::Text, here, shown);
}

ast::Node* Parser::as_variable(Node* expr, Span container) {
    auto* node = make<ast::Variable>(NodeKind::Variable, container);
    node->expr = expr;
    const std::string_view name = expr->kind == NodeKind::Name ? ast::as<ast::Name>(*expr).value : "";
    node->plain = !name.empty() && !is_digit(name[0]) && name.find(':') == std::string_view::npos;
    return done(node);
}

ast::Node* Parser::heredoc() {
    const Token start = take();
    expect(TokenKind::Sublocate);
    auto* node = make<ast::Heredoc>(NodeKind::Heredoc, start.span);
    node->syntax = start.text;
    node->text = text_literal();
    return done(node);
}

ast::Node* Parser::if_expression() {
    const Nested nested(*this);
    const Token start = take();
    auto* node = make<ast::If>(NodeKind::If, {});
    node->test = expression();
    const Token open = expect(TokenKind::LBrace);
    if (!at(TokenKind::RBrace)) {
        const Nodes list = statements();
        node->then = block_or_expression(list, &open, &peek());
    }
    Span end = expect(TokenKind::RBrace).span;
    node->otherwise = else_part();
    if (node->otherwise) end = node->otherwise->span;
    node->span = from_to(start.span, end);
    return done(node);
}

ast::Node* Parser::else_part() {
    if (at(TokenKind::Elsif)) return if_expression();
    if (!accept(TokenKind::Else)) return nullptr;
    const Token open = expect(TokenKind::LBrace);
    Node* body = nullptr;
    if (!at(TokenKind::RBrace)) {
        const Nodes list = statements();
        body = block_or_expression(list, &open, &peek());
    }
    expect(TokenKind::RBrace);
    return body;
}

ast::Node* Parser::unless_expression() {
    const Token start = take();
    auto* node = make<ast::If>(NodeKind::Unless, {});
    node->test = expression();
    const Token open = expect(TokenKind::LBrace);
    if (!at(TokenKind::RBrace)) {
        const Nodes list = statements();
        node->then = block_or_expression(list, &open, &peek());
    }
    node->span = from_to(start.span, expect(TokenKind::RBrace).span);
    if (at(TokenKind::Else)) node->otherwise = else_part();
    return done(node);
}

ast::Node* Parser::case_expression() {
    const Nested nested(*this);
    const Token start = take();
    auto* node = make<ast::Case>(NodeKind::Case, {});
    node->test = expression();
    expect(TokenKind::LBrace);
    std::vector<ast::CaseOption*> options;
    do {
        Nodes values{expression()};
        while (accept(TokenKind::Comma)) values.push_back(expression());
        const Token colon = expect(TokenKind::Colon);
        expect(TokenKind::LBrace);
        auto* option = make<ast::CaseOption>(NodeKind::CaseOption, colon.span);
        option->values = keep(values);
        if (!at(TokenKind::RBrace)) option->then = body_block(statements(), colon.span);
        option->span = from_to(colon.span, expect(TokenKind::RBrace).span);
        options.push_back(done(option));
    } while (!at(TokenKind::RBrace));
    node->options = keep(options);
    node->span = from_to(start.span, expect(TokenKind::RBrace).span);
    return done(node);
}

ast::Node* Parser::render() {
    const Token start = take();
    if (start.kind == TokenKind::RenderString) {
        auto* node = make<ast::RenderString>(NodeKind::RenderString, start.span);
        node->value = start.text;
        return node;
    }
    Node* shown = nullptr;
    if (at(TokenKind::LBrace)) {
        // "{" begins statements, or a hash: its first "=>" decides.
        const Token open = take();
        if (at(TokenKind::RBrace)) {
            shown = postfix(hash_after_brace(open, nullptr));
        } else {
            Node* first = hash_entry();
            if (at(TokenKind::FArrow)) {
                shown = postfix(hash_after_brace(open, first));
            } else {
                std::vector<Statement> list{{{first}, {}}};
                while (accept(TokenKind::Semic) || starts_statement()) list.push_back({{assignment()}, {}});
                const Nodes body = transform_calls(list);
                shown = block_or_expression(body, &open, &peek());
                expect(TokenKind::RBrace);
            }
        }
    } else {
        shown = expression();
    }
    if (!at(TokenKind::EppEnd) && !at(TokenKind::EppEndTrim)) unexpected(peek());
    return unary_node(NodeKind::Render, from_to(start.span, take().span), shown);
}

}  // namespace volley
