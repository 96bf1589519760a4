#include "language/syntax/parser_impl.hpp"

namespace volley {

ast::Node* Parser::add_definition(Node* node) {
    program_.definitions.push_back(node);
    return node;
}

/// A name inside the classes and plans around it.
std::string_view Parser::qualified(std::string_view name) {
    std::string result;
    for (const std::string_view outer : namespace_)
        result += (result.empty() ? "" : "::") + std::string(outer);
    result += "::" + std::string(name);
    if (result.starts_with("::")) result.erase(0, 2);  // once: an absolute name stays absolute
    return program_.arena.copy(result);
}

std::string_view Parser::class_name() {
    const Token token = peek();
    switch (token.kind) {
        case TokenKind::Name:
        case TokenKind::Word:
        case TokenKind::ClassRef:
            break;
        case TokenKind::Class:
            fail(token.span, "'class' keyword not allowed at this location");
        case TokenKind::String:
            fail(token.span, "A quoted string is not valid as a name here");
        default:
            unexpected(token);
    }
    take();
    return token.text;
}

template <class Definition>
void Parser::braced_body(Definition& node, const Token& start) {
    expect(TokenKind::LBrace);
    Nodes body;
    if (!at(TokenKind::RBrace)) body = statements();
    node.span = from_to(start.span, expect(TokenKind::RBrace).span);
    if (!body.empty()) node.body = body_block(body, node.span);
}

ast::Node* Parser::class_definition() {
    const Nested nested(*this);
    const Token start = take();
    const std::string_view name = class_name();
    namespace_.push_back(name);
    auto* node = make<ast::Definition>(NodeKind::Class, {});
    node->parameters = keep(parameter_list());
    if (accept(TokenKind::Inherits)) {
        if (at(TokenKind::Default))
            node->parent = take().text;
        else
            node->parent = class_name();
    }
    braced_body(*node, start);
    namespace_.pop_back();
    node->name = qualified(name);
    return add_definition(done(node));
}

ast::Node* Parser::define() {
    const Nested nested(*this);
    const Token start = take();
    auto* node = make<ast::Definition>(NodeKind::Define, {});
    const std::string_view name = class_name();
    node->parameters = keep(parameter_list());
    braced_body(*node, start);
    node->name = qualified(name);
    return add_definition(done(node));
}

ast::Node* Parser::plan() {
    const Nested nested(*this);
    const Token start = take();
    const std::string_view name = class_name();
    namespace_.push_back(name);
    auto* node = make<ast::Definition>(NodeKind::Plan, {});
    node->parameters = keep(parameter_list());
    braced_body(*node, start);
    namespace_.pop_back();
    node->name = qualified(name);
    return add_definition(done(node));
}

ast::Node* Parser::function() {
    const Nested nested(*this);
    const Token start = take();
    auto* node = make<ast::Definition>(NodeKind::Function, {});
    node->name = class_name();
    node->parameters = keep(parameter_list());
    node->return_type = return_type();
    braced_body(*node, start);
    return add_definition(done(node));
}

ast::Node* Parser::node_definition() {
    const Nested nested(*this);
    const Token start = take();
    auto* node = make<ast::NodeDefinition>(NodeKind::NodeDefinition, {});
    Nodes matches{hostname()};
    while (accept(TokenKind::Comma)) {
        if (at(TokenKind::Inherits) || at(TokenKind::LBrace)) break;
        matches.push_back(hostname());
    }
    node->matches = keep(matches);
    if (accept(TokenKind::Inherits)) node->parent = hostname();
    braced_body(*node, start);
    return add_definition(done(node));
}

ast::Node* Parser::hostname() {
    if (at(TokenKind::Default)) return make<Node>(NodeKind::Default, take().span);
    if (at(TokenKind::Regex)) return regexp();
    if (!at(TokenKind::Name) && !at(TokenKind::Number)) return text_literal();
    Token part = take();
    std::string name(part.text);
    Span span = part.span;
    while (accept(TokenKind::Dot)) {
        if (!at(TokenKind::Name) && !at(TokenKind::Number)) unexpected(peek());
        part = take();
        name += "." + std::string(part.text);
        span = from_to(span, part.span);
    }
    return string_node(span, program_.arena.copy(name));
}

/// After the word "type": a call of the function of that name, an alias, or a definition.
ast::Node* Parser::type_keyword() {
    const Token start = take();
    if (at(TokenKind::LParen)) return call(name_node(start.span, start.text));
    if (!at(TokenKind::ClassRef)) unexpected(peek());
    const TokenKind next = peek(1).kind;
    if (next == TokenKind::LBrace || next == TokenKind::Inherits) return type_definition(start, take());
    return type_alias();
}

ast::Node* Parser::type_definition(const Token& start, const Token& name) {
    auto* node = make<ast::TypeDefinition>(NodeKind::TypeDefinition, {});
    node->name = name.text;
    if (accept(TokenKind::Inherits)) node->parent = expect(TokenKind::ClassRef).text;
    expect(TokenKind::LBrace);
    Nodes body;
    if (starts_statement()) body = statements();
    node->span = from_to(start.span, expect(TokenKind::RBrace).span);
    if (!body.empty()) node->body = body_block(body, node->span);
    return add_definition(done(node));
}

ast::Node* Parser::type_alias() {
    Node* left = parameter_type();
    expect(TokenKind::Equals);
    Node* right = alias_target();
    // Compatibility: an alias stands where its name does, and of a parameterized type it covers only that.
    const bool short_span = right->kind == NodeKind::Access || right->kind == NodeKind::List;
    const Span span = short_span ? left->span : from_to(left->span, right->span);
    if (left->kind == NodeKind::Access) {
        auto* mapping = make<ast::TypeMapping>(NodeKind::TypeMapping, span);
        mapping->type_expr = left;
        mapping->mapping = right;
        return add_definition(done(mapping));
    }
    auto* alias = make<ast::TypeAlias>(NodeKind::TypeAlias, span);
    alias->name = ast::as<ast::Reference>(*left).cased_value;
    alias->type_expr = right;
    return add_definition(done(alias));
}

/// What an alias stands for; "Parent { ... }" and "{ ... }" are short for an Object type.
ast::Node* Parser::alias_target() {
    const auto object_access = [this](Node* type, Node* argument) {
        auto* node = make<ast::Access>(NodeKind::Access, {argument->span.begin, 0});
        node->left = type;
        node->keys = keep(Nodes{argument});
        return done(node);
    };
    const auto object_type = [this](Span at_hash) {
        auto* node = make<ast::Reference>(NodeKind::Reference, {at_hash.begin, 0});
        node->cased_value = "Object";
        node->value = "object";
        return node;
    };
    if (at(TokenKind::LBrace)) {
        Node* body = hash();
        return object_access(object_type(body->span), body);
    }
    if (at(TokenKind::LBrack) || at(TokenKind::ListStart)) return list();
    auto* type = static_cast<ast::Reference*>(type_reference());
    if (at(TokenKind::LBrack)) return access(type);
    if (!at(TokenKind::LBrace)) return type;
    auto* body = static_cast<ast::Hash*>(hash());
    if (type->cased_value == "Object" || type->cased_value == "TypeSet") return object_access(type, body);
    auto* entry = make<ast::Entry>(NodeKind::Entry, {body->span.begin, 0});
    entry->key = name_node(entry->span, "parent");
    entry->value = type;
    std::vector<ast::Entry*> entries(body->entries.begin(), body->entries.end());
    entries.push_back(done(entry));
    body->entries = keep(entries);
    return object_access(object_type(body->span), done(body));
}

ast::Node* Parser::apply() {
    const Nested nested(*this);
    const Token start = take();
    expect(TokenKind::LParen);
    if (at(TokenKind::RParen)) unexpected(peek());
    auto* node = make<ast::Apply>(NodeKind::Apply, {});
    node->arguments = keep(arguments(TokenKind::RParen, true));
    expect(TokenKind::RParen);
    expect(TokenKind::LBrace);
    Nodes body;
    if (!at(TokenKind::RBrace)) body = statements();
    node->span = from_to(start.span, expect(TokenKind::RBrace).span);
    auto* block = make<ast::Block>(NodeKind::ApplyBlock, {node->span.begin, 0});
    block->statements = keep(body);
    node->body = done(block);
    return done(node);
}

ast::Lambda* Parser::lambda() {
    const Nested nested(*this);
    const Token start = take();
    auto* node = make<ast::Lambda>(NodeKind::Lambda, {});
    node->parameters = keep(parameters(TokenKind::Pipe));
    expect(TokenKind::Pipe);
    node->return_type = return_type();
    expect(TokenKind::LBrace);
    Nodes body;
    const bool empty = at(TokenKind::RBrace);
    if (!empty) body = statements();
    node->span = from_to(start.span, expect(TokenKind::RBrace).span);
    if (!empty) node->body = body_block(body, node->span);
    return done(node);
}

std::vector<ast::Parameter*> Parser::parameter_list() {
    if (!at(TokenKind::LParen) && !at(TokenKind::WsLParen)) return {};
    take();
    std::vector<ast::Parameter*> list = parameters(TokenKind::RParen);
    expect(TokenKind::RParen);
    return list;
}

std::vector<ast::Parameter*> Parser::parameters(TokenKind close) {
    std::vector<ast::Parameter*> list;
    while (!at(close)) {
        list.push_back(parameter());
        if (!accept(TokenKind::Comma)) break;
    }
    return list;
}

ast::Parameter* Parser::parameter() {
    Node* type = at(TokenKind::ClassRef) ? parameter_type() : nullptr;
    const bool rest = accept(TokenKind::Times);
    const Token name = expect(TokenKind::Variable);
    auto* node = make<ast::Parameter>(NodeKind::Parameter, name.span);
    node->name = name.text;
    node->type = type;
    node->captures_rest = rest;
    if (accept(TokenKind::Equals)) node->value = expression();
    return done(node);
}

ast::Node* Parser::parameter_type() {
    Node* type = type_reference();
    if (!at(TokenKind::LBrack)) return type;
    take();
    const Nodes keys = access_arguments(false);
    auto* node = make<ast::Access>(NodeKind::Access, from_to(type->span, expect(TokenKind::RBrack).span));
    node->left = type;
    node->keys = keep(keys);
    return done(node);
}

ast::Node* Parser::return_type() { return accept(TokenKind::RShift) ? parameter_type() : nullptr; }

}  // namespace volley
