#include "language/ruby/source/parser.hpp"
#include "support/error.hpp"

namespace volley::ruby_source {

NodePtr Parser::primary() {
    using Kind = Token::Kind;
    const Token& token = now();
    switch (token.kind) {
        case Kind::Number: {
            MutableNode node = make(Node::Kind::Number);
            node->text = token.text;
            ++at_;
            return node;
        }
        case Kind::Text:
            return text_literal(Node::Kind::Text);
        case Kind::Symbol:
            return text_literal(Node::Kind::Symbol);
        case Kind::Pattern:
            return text_literal(Node::Kind::Pattern);
        case Kind::Words:
            return words(Node::Kind::Text);
        case Kind::SymbolWords:
            return words(Node::Kind::Symbol);
        case Kind::ShellCommand: {
            MutableNode node = make(Node::Kind::Unknown);
            ++at_;
            return node;
        }
        case Kind::Variable: {
            MutableNode node = make(Node::Kind::Instance);
            node->text = token.text;
            ++at_;
            return node;
        }
        case Kind::Identifier: {
            std::string name = token.text;
            ++at_;
            return call(nullptr, std::move(name));
        }
        case Kind::Constant: {
            std::string name = token.text;
            ++at_;
            // Integer("3") calls; Integer alone is a constant.
            if (now().is_operator("(") && !now().space_before) return call(nullptr, std::move(name));
            MutableNode node = make(Node::Kind::Constant);
            node->text = std::move(name);
            return node;
        }
        case Kind::Keyword:
            return keyword();
        case Kind::Operator:
            break;
        default:
            throw NotUnderstood{};
    }
    if (token.text == "(") return parentheses();
    if (token.text == "[") return array_literal();
    if (token.text == "{") return hash_literal();
    if (token.text == "->") return lambda();
    if (token.text == "::" && ahead().kind == Kind::Constant) {
        ++at_;
        return primary();
    }
    throw NotUnderstood{};
}

NodePtr Parser::parentheses() {
    const std::size_t end = now().match;
    ++at_;
    NodePtr body = body_until(end);
    at_ = end + 1;
    return body;
}

std::vector<NodePtr> Parser::pieces(const std::vector<Piece>& from, std::uint32_t line) {
    std::vector<NodePtr> parts;
    for (const Piece& piece : from) {
        if (piece.unknown) {
            parts.push_back(make(Node::Kind::Unknown));
        } else if (piece.code) {
            parts.push_back(interpolation(piece, line));
        } else {
            MutableNode literal = make(Node::Kind::Text);
            literal->text = piece.text;
            parts.push_back(std::move(literal));
        }
    }
    return parts;
}

/// "#{code}" sees the variables around it, and may add some.
NodePtr Parser::interpolation(const Piece& piece, std::uint32_t line) {
    const Level level(depth_);
    try {
        Parser inside(tokenize(piece.text, line));
        inside.depth_ = depth_;
        inside.locals_ = locals_;
        NodePtr program = inside.program();
        locals_ = std::move(inside.locals_);
        return program;
    } catch (const Error&) {  // the text is not known then, but nothing else is lost
        return make(Node::Kind::Unknown);
    }
}

/// A text, and those that follow it at once: "a" "b".
NodePtr Parser::text_literal(Node::Kind kind) {
    MutableNode node = make(kind);
    node->text = kind == Node::Kind::Pattern ? now().text : "";
    do {
        for (NodePtr& part : pieces(now().pieces, now().line)) node->parts.push_back(std::move(part));
        ++at_;
    } while (kind == Node::Kind::Text && now().kind == Token::Kind::Text);
    return node;
}

NodePtr Parser::words(Node::Kind kind) {
    MutableNode node = make(Node::Kind::Array);
    for (const Piece& piece : now().pieces) {
        MutableNode word = make(kind);
        word->parts = pieces({piece}, now().line);
        node->parts.push_back(std::move(word));
    }
    ++at_;
    return node;
}

NodePtr Parser::array_literal() {
    MutableNode node = make(Node::Kind::Array);
    const std::size_t end = now().match;
    ++at_;
    arguments_until(*node, end);
    return node;
}

NodePtr Parser::hash_literal() {
    MutableNode node = make(Node::Kind::Hash);
    const std::size_t end = now().match;
    const bool outside = std::exchange(do_belongs_outside_, false);
    ++at_;
    for (skip_newlines(); at_ < end; skip_newlines()) {
        if (!hash_entry(*node)) throw NotUnderstood{};
        skip_newlines();
        if (at_ < end) expect_operator(",");
    }
    do_belongs_outside_ = outside;
    at_ = end + 1;
    return node;
}

/// "key => value", "key: value", "**hash"; or one expression, and then false.
bool Parser::hash_entry(Node& hash) {
    if (take_operator("**")) {
        hash.parts.push_back(nullptr);
        hash.parts.push_back(ternary());
        return true;
    }
    if (now().kind == Token::Kind::Label) {
        MutableNode key = make(Node::Kind::Symbol);
        MutableNode literal = make(Node::Kind::Text);
        literal->text = now().text;
        key->parts.push_back(std::move(literal));
        ++at_;
        skip_newlines();
        hash.parts.push_back(std::move(key));
        hash.parts.push_back(assignment());
        return true;
    }
    hash.parts.push_back(assignment());
    if (!take_operator("=>")) return false;
    skip_newlines();
    hash.parts.push_back(assignment());
    return true;
}

}  // namespace volley::ruby_source
