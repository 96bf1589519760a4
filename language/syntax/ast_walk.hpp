#pragma once

#include "language/syntax/ast.hpp"

namespace volley::ast {

/// Calls `visit(const Node&)` for each direct child of a node, in source order; absent children are skipped.
template <class Visit>
void for_each_child(const Node& node, Visit&& visit) {
    const auto one = [&visit](const Node* child) {
        if (child) visit(*child);
    };
    const auto all = [&one](const auto& children) {
        for (const Node* child : children) one(child);
    };
    switch (node.kind) {
        case NodeKind::Nop:
        case NodeKind::Undef:
        case NodeKind::Default:
        case NodeKind::Boolean:
        case NodeKind::Integer:
        case NodeKind::Float:
        case NodeKind::String:
        case NodeKind::Regexp:
        case NodeKind::Name:
        case NodeKind::Reference:
        case NodeKind::Reserved:
        case NodeKind::RenderString:
        case NodeKind::Program:
            break;
        case NodeKind::Variable:
            one(as<Variable>(node).expr);
            break;
        case NodeKind::Concatenated:
            all(as<Concatenated>(node).segments);
            break;
        case NodeKind::Heredoc:
            one(as<Heredoc>(node).text);
            break;
        case NodeKind::List:
            all(as<List>(node).values);
            break;
        case NodeKind::Hash:
            all(as<Hash>(node).entries);
            break;
        case NodeKind::Entry:
            one(as<Entry>(node).key);
            one(as<Entry>(node).value);
            break;
        case NodeKind::Access:
            one(as<Access>(node).left);
            all(as<Access>(node).keys);
            break;
        case NodeKind::And:
        case NodeKind::Or:
        case NodeKind::In:
        case NodeKind::Arithmetic:
        case NodeKind::Comparison:
        case NodeKind::Match:
        case NodeKind::Assignment:
        case NodeKind::Relationship:
        case NodeKind::NamedAccess:
            one(as<Binary>(node).left);
            one(as<Binary>(node).right);
            break;
        case NodeKind::Text:
        case NodeKind::Not:
        case NodeKind::Minus:
        case NodeKind::Unfold:
        case NodeKind::Paren:
        case NodeKind::AttributeSplat:
        case NodeKind::VirtualQuery:
        case NodeKind::ExportedQuery:
        case NodeKind::Render:
            one(as<Unary>(node).expr);
            break;
        case NodeKind::Block:
        case NodeKind::ApplyBlock:
            all(as<Block>(node).statements);
            break;
        case NodeKind::Call:
        case NodeKind::CallMethod:
            one(as<Call>(node).functor);
            all(as<Call>(node).arguments);
            one(as<Call>(node).lambda);
            break;
        case NodeKind::Lambda:
            all(as<Lambda>(node).parameters);
            one(as<Lambda>(node).body);
            one(as<Lambda>(node).return_type);
            break;
        case NodeKind::Parameter:
            one(as<Parameter>(node).type);
            one(as<Parameter>(node).value);
            break;
        case NodeKind::If:
        case NodeKind::Unless:
            one(as<If>(node).test);
            one(as<If>(node).then);
            one(as<If>(node).otherwise);
            break;
        case NodeKind::Case:
            one(as<Case>(node).test);
            all(as<Case>(node).options);
            break;
        case NodeKind::CaseOption:
            all(as<CaseOption>(node).values);
            one(as<CaseOption>(node).then);
            break;
        case NodeKind::Selector:
            one(as<Selector>(node).left);
            all(as<Selector>(node).selectors);
            break;
        case NodeKind::SelectorEntry:
            one(as<SelectorEntry>(node).match);
            one(as<SelectorEntry>(node).value);
            break;
        case NodeKind::Resource:
            one(as<Resource>(node).type_name);
            all(as<Resource>(node).bodies);
            break;
        case NodeKind::ResourceBody:
            one(as<ResourceBody>(node).title);
            all(as<ResourceBody>(node).operations);
            break;
        case NodeKind::ResourceDefaults:
            one(as<ResourceDefaults>(node).type_ref);
            all(as<ResourceDefaults>(node).operations);
            break;
        case NodeKind::ResourceOverride:
            one(as<ResourceOverride>(node).resources);
            all(as<ResourceOverride>(node).operations);
            break;
        case NodeKind::Attribute:
            one(as<Attribute>(node).value);
            break;
        case NodeKind::Collect:
            one(as<Collect>(node).type_expr);
            one(as<Collect>(node).query);
            all(as<Collect>(node).operations);
            break;
        case NodeKind::Class:
        case NodeKind::Define:
        case NodeKind::Function:
        case NodeKind::Plan:
            all(as<Definition>(node).parameters);
            one(as<Definition>(node).body);
            one(as<Definition>(node).return_type);
            break;
        case NodeKind::NodeDefinition:
            all(as<NodeDefinition>(node).matches);
            one(as<NodeDefinition>(node).parent);
            one(as<NodeDefinition>(node).body);
            break;
        case NodeKind::TypeAlias:
            one(as<TypeAlias>(node).type_expr);
            break;
        case NodeKind::TypeMapping:
            one(as<TypeMapping>(node).type_expr);
            one(as<TypeMapping>(node).mapping);
            break;
        case NodeKind::TypeDefinition:
            one(as<TypeDefinition>(node).body);
            break;
        case NodeKind::Apply:
            all(as<Apply>(node).arguments);
            one(as<Apply>(node).body);
            break;
        case NodeKind::Epp:
            one(as<Epp>(node).body);
            break;
    }
}

/// The source text of a whole tree: from its first to its last byte, whichever node they belong to.
std::string_view source_text(const Node& node);

}  // namespace volley::ast
