#include "language/syntax/large_number.hpp"
#include "language/syntax/pn.hpp"

namespace volley {
namespace ast {
namespace {

std::string text(std::string_view view) { return std::string(view); }

Pn string_pn(std::string_view value) { return Pn::literal(text(value)); }

Pn node_or_nop(const Node* node) { return node ? to_pn(*node) : Pn::call("nop"); }

template <class List>
Pn list_pn(const List& nodes) {
    std::vector<Pn> elements;
    for (const auto* node : nodes) elements.push_back(node_or_nop(node));
    return Pn::list(std::move(elements));
}

/// The statements of a block; a single expression is a list of one.
Pn block_pn(const Node* node) {
    if (node && node->kind == NodeKind::Block) return list_pn(as<Block>(*node).statements);
    return Pn::list({node_or_nop(node)});
}

bool is_nop(const Node* node) { return !node || node->kind == NodeKind::Nop; }

Pn parameters_pn(std::span<Parameter* const> parameters) {
    Pn result = Pn::map();
    for (const Parameter* parameter : parameters) {
        Pn entry = Pn::map();
        if (parameter->type) entry.add("type", to_pn(*parameter->type));
        if (parameter->captures_rest) entry.add("splat", Pn::literal(true));
        if (parameter->value) entry.add("value", to_pn(*parameter->value));
        result.add(text(parameter->name), std::move(entry));
    }
    return result;
}

Pn binary_pn(const Node& node, std::string_view op) {
    // The left side may be a long chain; build it from its far end.
    std::vector<const Binary*> chain{&as<Binary>(node)};
    while (chain.back()->left->kind == node.kind) chain.push_back(&as<Binary>(*chain.back()->left));
    Pn result = to_pn(*chain.back()->left);
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
        const bool worded =
            node.kind == NodeKind::And || node.kind == NodeKind::Or || node.kind == NodeKind::In;
        result = Pn::call(text(worded ? op : (*it)->op), {std::move(result), to_pn(*(*it)->right)});
    }
    return result;
}

Pn integer_pn(const Integer& node) {
    Pn value = node.fits ? Pn::literal(node.value) : Pn::big_integer(digits_in_radix(node, 10));
    if (node.radix == 10) return value;
    Pn map = Pn::map();
    map.add("radix", Pn::literal(std::int64_t{node.radix})).add("value", std::move(value));
    return std::move(map).as_call("int");
}

Pn minus_pn(const Node& node) {
    const Node& operand = *as<Unary>(node).expr;
    if (operand.kind == NodeKind::Integer) {
        const auto& integer = as<Integer>(operand);
        return integer.fits ? Pn::literal(-integer.value)
                            : Pn::big_integer("-" + digits_in_radix(integer, 10));
    }
    if (operand.kind == NodeKind::Float) return Pn::literal(-as<Float>(operand).value);
    return Pn::call("-", {to_pn(operand)});
}

Pn call_pn(const Node& node, std::string_view with_value, std::string_view without) {
    const auto& call = as<Call>(node);
    Pn map = Pn::map();
    map.add("functor", to_pn(*call.functor)).add("args", list_pn(call.arguments));
    if (call.lambda) map.add("block", to_pn(*call.lambda));
    return std::move(map).as_call(text(call.value_needed ? with_value : without));
}

Pn if_pn(const Node& node, std::string_view name) {
    const auto& branch = as<If>(node);
    Pn map = Pn::map();
    map.add("test", to_pn(*branch.test));
    if (!is_nop(branch.then)) map.add("then", block_pn(branch.then));
    if (!is_nop(branch.otherwise)) map.add("else", block_pn(branch.otherwise));
    return std::move(map).as_call(text(name));
}

Pn definition_pn(const Node& node, std::string_view name) {
    const auto& definition = as<Definition>(node);
    Pn map = Pn::map();
    map.add("name", string_pn(definition.name));
    if (!definition.parent.empty()) map.add("parent", string_pn(definition.parent));
    if (!definition.parameters.empty()) map.add("params", parameters_pn(definition.parameters));
    if (definition.body) map.add("body", block_pn(definition.body));
    if (definition.return_type) map.add("returns", to_pn(*definition.return_type));
    return std::move(map).as_call(text(name));
}

Pn lambda_pn(const Lambda& lambda) {
    Pn map = Pn::map();
    if (!lambda.parameters.empty()) map.add("params", parameters_pn(lambda.parameters));
    if (lambda.return_type) map.add("returns", to_pn(*lambda.return_type));
    if (lambda.body) map.add("body", block_pn(lambda.body));
    return std::move(map).as_call("lambda");
}

Pn node_definition_pn(const NodeDefinition& definition) {
    Pn map = Pn::map();
    map.add("matches", list_pn(definition.matches));
    if (definition.parent) map.add("parent", to_pn(*definition.parent));
    if (definition.body) map.add("body", block_pn(definition.body));
    return std::move(map).as_call("node");
}

Pn resource_pn(const Node& node) {
    Pn map = Pn::map();
    std::string name;
    if (node.kind == NodeKind::Resource) {
        name = "resource";
        std::vector<Pn> bodies;
        for (const ResourceBody* body : as<Resource>(node).bodies) {
            Pn entry = Pn::map();
            entry.add("title", to_pn(*body->title)).add("ops", list_pn(body->operations));
            bodies.push_back(std::move(entry));
        }
        map.add("type", to_pn(*as<Resource>(node).type_name)).add("bodies", Pn::list(std::move(bodies)));
    } else if (node.kind == NodeKind::ResourceDefaults) {
        name = "resource-defaults";
        map.add("type", to_pn(*as<ResourceDefaults>(node).type_ref));
        map.add("ops", list_pn(as<ResourceDefaults>(node).operations));
    } else {
        name = "resource-override";
        map.add("resources", to_pn(*as<ResourceOverride>(node).resources));
        map.add("ops", list_pn(as<ResourceOverride>(node).operations));
    }
    const std::string_view form = as<AbstractResource>(node).form;
    if (form != "regular") map.add("form", string_pn(form));
    return std::move(map).as_call(name);
}

Pn query_pn(const Node& node, std::string_view name) {
    const Node* expr = as<Unary>(node).expr;
    if (is_nop(expr)) return Pn::call(text(name));
    return Pn::call(text(name), {to_pn(*expr)});
}

Pn collect_pn(const Collect& node) {
    Pn map = Pn::map();
    map.add("type", to_pn(*node.type_expr)).add("query", to_pn(*node.query));
    if (!node.operations.empty()) map.add("ops", list_pn(node.operations));
    return std::move(map).as_call("collect");
}

Pn heredoc_pn(const Heredoc& node) {
    Pn map = Pn::map();
    if (!node.syntax.empty()) map.add("syntax", string_pn(node.syntax));
    map.add("text", to_pn(*node.text));
    return std::move(map).as_call("heredoc");
}

Pn case_pn(const Case& node) {
    std::vector<Pn> options;
    for (const CaseOption* option : node.options) {
        Pn map = Pn::map();
        map.add("when", list_pn(option->values)).add("then", block_pn(option->then));
        options.push_back(std::move(map));
    }
    return Pn::call("case", {to_pn(*node.test), Pn::list(std::move(options))});
}

Pn access_pn(const Access& node) {
    std::vector<Pn> elements{to_pn(*node.left)};
    for (const Node* key : node.keys) elements.push_back(to_pn(*key));
    return Pn::call("access", std::move(elements));
}

Pn variable_pn(const Variable& node) {
    return Pn::call("var", {node.expr->kind == NodeKind::Name ? string_pn(as<Name>(*node.expr).value)
                                                              : to_pn(*node.expr)});
}

}  // namespace
}  // namespace ast

Pn to_pn(const ast::Program& program) { return to_pn(*program.body); }

Pn to_pn(const ast::Node& node) {
    using namespace ast;
    switch (node.kind) {
        case NodeKind::Nop:
        case NodeKind::Program:
            return Pn::call("nop");
        case NodeKind::Undef:
            return Pn::literal({});
        case NodeKind::Default:
            return Pn::call("default");
        case NodeKind::Boolean:
            return Pn::literal(as<Boolean>(node).value);
        case NodeKind::Integer:
            return integer_pn(as<Integer>(node));
        case NodeKind::Float:
            return Pn::literal(as<Float>(node).value);
        case NodeKind::String:
            return string_pn(as<String>(node).value);
        case NodeKind::Regexp:
            return Pn::call("regexp", {string_pn(as<RegexpLiteral>(node).value->pattern())});
        case NodeKind::Name:
            return Pn::call("qn", {string_pn(as<Name>(node).value)});
        case NodeKind::Reference:
            return Pn::call("qr", {string_pn(as<Reference>(node).cased_value)});
        case NodeKind::Reserved:
            return Pn::call("reserved", {string_pn(as<Reserved>(node).word)});
        case NodeKind::Variable:
            return variable_pn(as<Variable>(node));
        case NodeKind::Text:
            return Pn::call("str", {to_pn(*as<Unary>(node).expr)});
        case NodeKind::Concatenated:
            return list_pn(as<Concatenated>(node).segments).as_call("concat");
        case NodeKind::Heredoc:
            return heredoc_pn(as<Heredoc>(node));
        case NodeKind::List:
            return list_pn(as<List>(node).values).as_call("array");
        case NodeKind::Hash:
            return list_pn(as<ast::Hash>(node).entries).as_call("hash");
        case NodeKind::Entry:
            return Pn::call("=>", {to_pn(*as<Entry>(node).key), to_pn(*as<Entry>(node).value)});
        case NodeKind::Access:
            return access_pn(as<Access>(node));
        case NodeKind::And:
            return binary_pn(node, "and");
        case NodeKind::Or:
            return binary_pn(node, "or");
        case NodeKind::In:
            return binary_pn(node, "in");
        case NodeKind::Arithmetic:
        case NodeKind::Comparison:
        case NodeKind::Match:
        case NodeKind::Assignment:
        case NodeKind::Relationship:
        case NodeKind::NamedAccess:
            return binary_pn(node, "");
        case NodeKind::Not:
            return Pn::call("!", {to_pn(*as<Unary>(node).expr)});
        case NodeKind::Minus:
            return minus_pn(node);
        case NodeKind::Unfold:
            return Pn::call("unfold", {to_pn(*as<Unary>(node).expr)});
        case NodeKind::Paren:
            return Pn::call("paren", {to_pn(*as<Unary>(node).expr)});
        case NodeKind::Block:
            return list_pn(as<Block>(node).statements).as_call("block");
        case NodeKind::Call:
            return call_pn(node, "call", "invoke");
        case NodeKind::CallMethod:
            return call_pn(node, "call-method", "invoke-method");
        case NodeKind::Lambda:
            return lambda_pn(as<Lambda>(node));
        case NodeKind::If:
            return if_pn(node, "if");
        case NodeKind::Unless:
            return if_pn(node, "unless");
        case NodeKind::Case:
            return case_pn(as<Case>(node));
        case NodeKind::Selector: {
            const auto& selector = as<Selector>(node);
            return Pn::call("?", {to_pn(*selector.left), list_pn(selector.selectors)});
        }
        case NodeKind::SelectorEntry:
            return Pn::call("=>",
                            {to_pn(*as<SelectorEntry>(node).match), to_pn(*as<SelectorEntry>(node).value)});
        case NodeKind::Resource:
        case NodeKind::ResourceDefaults:
        case NodeKind::ResourceOverride:
            return resource_pn(node);
        case NodeKind::Attribute: {
            const auto& attribute = as<Attribute>(node);
            return Pn::call(text(attribute.op), {string_pn(attribute.name), to_pn(*attribute.value)});
        }
        case NodeKind::AttributeSplat:
            return Pn::call("splat-hash", {to_pn(*as<Unary>(node).expr)});
        case NodeKind::Collect:
            return collect_pn(as<Collect>(node));
        case NodeKind::VirtualQuery:
            return query_pn(node, "virtual-query");
        case NodeKind::ExportedQuery:
            return query_pn(node, "exported-query");
        case NodeKind::Class:
            return definition_pn(node, "class");
        case NodeKind::Define:
            return definition_pn(node, "define");
        case NodeKind::Function:
            return definition_pn(node, "function");
        case NodeKind::Plan:
            return definition_pn(node, "plan");
        case NodeKind::NodeDefinition:
            return node_definition_pn(as<NodeDefinition>(node));
        case NodeKind::TypeAlias:
            return Pn::call("type-alias",
                            {string_pn(as<TypeAlias>(node).name), to_pn(*as<TypeAlias>(node).type_expr)});
        case NodeKind::TypeMapping:
            return Pn::call("type-mapping",
                            {to_pn(*as<TypeMapping>(node).type_expr), to_pn(*as<TypeMapping>(node).mapping)});
        case NodeKind::TypeDefinition: {
            const auto& type = as<TypeDefinition>(node);
            return Pn::call(
                "type-definition",
                {string_pn(type.name), type.parent.empty() ? Pn::literal({}) : string_pn(type.parent),
                 node_or_nop(type.body)});
        }
        case NodeKind::Apply:
            return Pn::call("apply", {list_pn(as<Apply>(node).arguments), to_pn(*as<Apply>(node).body)});
        case NodeKind::ApplyBlock:
            return list_pn(as<Block>(node).statements).as_call("block");
        case NodeKind::Epp:
            return as<Epp>(node).body ? to_pn(*as<Epp>(node).body).as_call("epp") : Pn::call("epp");
        case NodeKind::Render:
            return Pn::call("render", {node_or_nop(as<Unary>(node).expr)});
        case NodeKind::RenderString:
            return Pn::call("render-s", {string_pn(as<RenderString>(node).value)});
        case NodeKind::Parameter:
        case NodeKind::CaseOption:
        case NodeKind::ResourceBody:
            break;  // written by what they belong to
    }
    return Pn::call("nop");
}

}  // namespace volley
