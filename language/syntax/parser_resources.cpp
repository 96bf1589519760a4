#include "language/syntax/parser_impl.hpp"

namespace volley {
namespace {

enum class Shape { Resource, Defaults, Override, None };

/// What "left { ... }" means when the braces hold no title.
Shape shape_of(const ast::Node& left) {
    if (left.kind == ast::NodeKind::Name) return Shape::Resource;
    if (left.kind == ast::NodeKind::Reference) return Shape::Defaults;
    // Compatibility: Resource[type] { } is an override as well.
    return left.kind == ast::NodeKind::Access ? Shape::Override : Shape::None;
}

bool is_resource(const ast::Node& node) {
    return node.kind == ast::NodeKind::Resource || node.kind == ast::NodeKind::ResourceDefaults ||
           node.kind == ast::NodeKind::ResourceOverride;
}

}  // namespace

ast::Node* Parser::resource() {
    if (at(TokenKind::At) || at(TokenKind::AtAt)) return resource_at();
    Node* left = at(TokenKind::Class) && peek(1).kind == TokenKind::LBrace ? class_resource() : expression();
    while (at(TokenKind::LBrace)) left = resource_with_braces(left);
    return left;
}

ast::Node* Parser::resource_at() {
    const Nested nested(*this);
    const Token mark = take();
    const bool exported = mark.kind == TokenKind::AtAt;
    Node* node = resource();
    if (!is_resource(*node)) {
        fail(mark.span, exported ? "Exported (@@) can only be applied to a Resource Expression"
                                 : "Virtual (@) can only be applied to a Resource Expression");
    }
    ast::as<ast::AbstractResource>(*node).form = exported ? "exported" : "virtual";
    node->span = from_to(mark.span, node->span);
    return node;
}

ast::Node* Parser::class_resource() {
    const Token start = take();
    take();
    std::vector<ast::ResourceBody*> bodies{resource_body()};
    while (accept(TokenKind::Semic)) {
        if (at(TokenKind::RBrace)) break;
        bodies.push_back(resource_body());
    }
    const Token end = expect(TokenKind::RBrace);
    auto* node = make<ast::Resource>(NodeKind::Resource, from_to(start.span, end.span));
    node->form = "regular";
    node->type_name = name_node({start.span.begin, 0}, start.text);
    for (ast::ResourceBody* body : bodies) body->span = {node->span.begin, 0};
    node->bodies = keep(bodies);
    return done(node);
}

ast::Node* Parser::resource_with_braces(Node* type) {
    const Token left_brace = take();
    if (at(TokenKind::RBrace) || at(TokenKind::Comma) || attribute_follows())
        return untitled_resource(type, left_brace);
    return titled_resource(type);
}

ast::Node* Parser::titled_resource(Node* type) {
    std::vector<ast::ResourceBody*> bodies{resource_body()};
    while (accept(TokenKind::Semic)) {
        if (at(TokenKind::RBrace)) break;
        bodies.push_back(resource_body());
    }
    const Token end = expect(TokenKind::RBrace);
    auto* node = make<ast::Resource>(NodeKind::Resource, from_to(type->span, end.span));
    node->form = "regular";
    node->type_name = type;
    for (ast::ResourceBody* body : bodies) body->span = {node->span.begin, 0};
    node->bodies = keep(bodies);
    return done(node);
}

ast::ResourceBody* Parser::resource_body() {
    auto* body = make<ast::ResourceBody>(NodeKind::ResourceBody, {});
    body->title = expression();
    expect(TokenKind::Colon);
    body->operations = keep(attribute_operations());
    return done(body);
}

ast::Node* Parser::untitled_resource(Node* type, const Token& left_brace) {
    const Nodes operations = attribute_operations();
    const Token end = expect(TokenKind::RBrace);
    const Span span = from_to(type->span, end.span);
    switch (shape_of(*type)) {
        case Shape::Resource: {
            Node* node = resource_without_title(type, operations, left_brace, end);
            node->span = span;
            without_title_ = node;
            return node;
        }
        case Shape::Defaults: {
            auto* node = make<ast::ResourceDefaults>(NodeKind::ResourceDefaults, span);
            node->form = "regular";
            node->type_ref = type;
            node->operations = keep(operations);
            return done(node);
        }
        case Shape::Override: {
            auto* node = make<ast::ResourceOverride>(NodeKind::ResourceOverride, span);
            node->form = "regular";
            node->resources = type;
            node->operations = keep(operations);
            return done(node);
        }
        case Shape::None:
            break;
    }
    fail(type->span, "Expression is not valid as a resource, resource-default, or resource-override");
}

/// "name { a => 1 }" is the name followed by a hash: a statement call when the name is one of those.
ast::Node* Parser::resource_without_title(Node* left, const Nodes& operations, const Token& left_brace,
                                          const Token& right_brace) {
    std::vector<ast::Entry*> entries;
    for (Node* operation : operations) {
        const bool plain =
            operation->kind == NodeKind::Attribute && ast::as<ast::Attribute>(*operation).op == "=>";
        if (!plain) fail(left_brace.span, "Syntax error resource body without title or hash with +>");
        auto& attribute = ast::as<ast::Attribute>(*operation);
        auto* entry = make<ast::Entry>(NodeKind::Entry, {left_brace.span.begin, 0});
        entry->key = string_node({left_brace.span.begin, 0}, attribute.name);
        entry->value = attribute.value;
        entries.push_back(done(entry));
    }
    auto* hash = make<ast::Hash>(NodeKind::Hash, from_to(left_brace.span, right_brace.span));
    hash->entries = keep(entries);
    return block_or_expression(transform_calls({{{left}, {}}, {{done(hash)}, {}}}));
}

bool Parser::attribute_follows() {
    const TokenKind kind = peek().kind;
    if (kind == TokenKind::Times) return peek(1).kind == TokenKind::FArrow;
    if (kind != TokenKind::Name && !is_keyword(kind)) return false;
    return peek(1).kind == TokenKind::FArrow || peek(1).kind == TokenKind::PArrow;
}

/// Attributes with commas between them, and perhaps one after the last.
Parser::Nodes Parser::attribute_operations() {
    Nodes list;
    const auto starts_attribute = [this] {
        return at(TokenKind::Name) || at(TokenKind::Times) || is_keyword(peek().kind);
    };
    if (starts_attribute()) list.push_back(attribute_operation());
    while (accept(TokenKind::Comma)) {
        if (!starts_attribute()) break;
        list.push_back(attribute_operation());
    }
    return list;
}

ast::Node* Parser::attribute_operation() {
    const Token name = take();
    if (name.kind == TokenKind::Times) {
        expect(TokenKind::FArrow);
        Node* value = expression();
        return unary_node(NodeKind::AttributeSplat, from_to(name.span, value->span), value);
    }
    if (!at(TokenKind::FArrow) && !at(TokenKind::PArrow)) unexpected(peek());
    const Token op = take();
    auto* node = make<ast::Attribute>(NodeKind::Attribute, {});
    node->name = name.text;
    node->op = op.text;
    node->value = expression();
    node->span = from_to(name.span, node->value->span);
    return done(node);
}

ast::Node* Parser::collect(Node* type) {
    const Token open = take();
    const bool exported = open.kind == TokenKind::LlCollect;
    const TokenKind close_kind = exported ? TokenKind::RrCollect : TokenKind::RCollect;
    Node* condition = at(close_kind) ? nullptr : expression();
    const Token close = expect(close_kind);
    auto* node = make<ast::Collect>(NodeKind::Collect, from_to(type->span, close.span));
    node->type_expr = type;
    node->query =
        static_cast<ast::Unary*>(unary_node(exported ? NodeKind::ExportedQuery : NodeKind::VirtualQuery,
                                            from_to(open.span, close.span), condition));
    if (accept(TokenKind::LBrace)) {
        node->operations = keep(attribute_operations());
        node->span = from_to(type->span, expect(TokenKind::RBrace).span);
    }
    return done(node);
}

}  // namespace volley
