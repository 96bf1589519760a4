#include "language/evaluator/labels.hpp"

#include "language/callable.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

std::string quoted(std::string_view op, std::string_view what = "expression") {
    return "'" + std::string(op) + "' " + std::string(what);
}

bool vowel(const std::string& words) {
    std::size_t at = 0;
    if (!words.empty() && (words[0] == '"' || words[0] == '\'')) at = 1;
    return at < words.size() && std::string_view("aeiouyAEIOUY").find(words[at]) != std::string_view::npos;
}

}  // namespace

std::string a_an(const std::string& words) { return (vowel(words) ? "an " : "a ") + words; }
std::string a_an_uc(const std::string& words) { return (vowel(words) ? "An " : "A ") + words; }

std::string label(const Value& value) {
    switch (value.kind()) {
        case Kind::Undef:
            return "Undef Value";
        case Kind::SemVer:
            return "Semver";
        case Kind::SemVerRange:
            return "SemverRange";
        case Kind::Type: {
            const TypePtr type = value.as_type();
            const bool reference =
                type->kind() == TypeKind::Resource && as<types::CatalogType>(*type).title.has_value();
            return to_expanded_string(*type) + (reference ? " Resource-Reference" : "-Type");
        }
        case Kind::Default:
        case Kind::Uri:
        case Kind::Iterator:
        case Kind::Object:
        case Kind::Callable:
        case Kind::Opaque:
            return "Object";
        default:
            return std::string(kind_name(value.kind()));
    }
}

std::string label(const ast::Node& node) {
    using ast::NodeKind;
    switch (node.kind) {
        case NodeKind::Nop:
            return "Nop Expression";
        case NodeKind::Undef:
            return quoted("undef");
        case NodeKind::Default:
            return quoted("default");
        case NodeKind::Boolean:
            return "Boolean";
        case NodeKind::Integer:
            return "Literal Integer";
        case NodeKind::Float:
            return "Literal Float";
        case NodeKind::String:
            return "String";
        case NodeKind::Regexp:
            return "Regular Expression";
        case NodeKind::Name:
            return "Name";
        case NodeKind::Reference:
            return "Type-Name";
        case NodeKind::Reserved:
            return "Reserved Word '" + std::string(ast::as<ast::Reserved>(node).word) + "'";
        case NodeKind::Variable:
            return "Variable";
        case NodeKind::Text:
            return "Expression in Interpolated String";
        case NodeKind::Concatenated:
            return "Double Quoted String";
        case NodeKind::Heredoc:
            return "'@(" + std::string(ast::as<ast::Heredoc>(node).syntax) + ")' expression";
        case NodeKind::List:
            return "Array Expression";
        case NodeKind::Hash:
            return "Hash Expression";
        case NodeKind::Entry:
            return "Hash Entry";
        case NodeKind::Access:
            return quoted("[]");
        case NodeKind::And:
            return quoted("and");
        case NodeKind::Or:
            return quoted("or");
        case NodeKind::In:
            return quoted("in");
        case NodeKind::Arithmetic:
        case NodeKind::Comparison:
        case NodeKind::Match:
        case NodeKind::Assignment:
        case NodeKind::Relationship:
            return quoted(ast::as<ast::Binary>(node).op);
        case NodeKind::NamedAccess:
            return quoted(".");
        case NodeKind::Not:
            return quoted("not");
        case NodeKind::Minus:
            return "Unary Minus";
        case NodeKind::Unfold:
            return "Unfold";
        case NodeKind::Paren:
            return "Parenthesized Expression";
        case NodeKind::Block:
            return "Block Expression";
        case NodeKind::Call:
            return "Function Call";
        case NodeKind::CallMethod:
            return "Method call";
        case NodeKind::Lambda:
            return "Lambda";
        case NodeKind::Parameter:
            return "Parameter Definition";
        case NodeKind::If:
            return quoted("if", "statement");
        case NodeKind::Unless:
            return quoted("unless", "Statement");
        case NodeKind::Case:
            return quoted("case", "statement");
        case NodeKind::CaseOption:
            return "Case Option";
        case NodeKind::Selector:
            return "Selector Expression";
        case NodeKind::SelectorEntry:
            return "Selector Option";
        case NodeKind::Resource:
            return "Resource Statement";
        case NodeKind::ResourceBody:
            return "Resource Instance Definition";
        case NodeKind::ResourceDefaults:
            return "Resource Defaults Expression";
        case NodeKind::ResourceOverride:
            return "Resource Override";
        case NodeKind::Attribute:
            return quoted(ast::as<ast::Attribute>(node).op);
        case NodeKind::AttributeSplat:
            return "Object";  // compatibility: Puppet has no word for it
        case NodeKind::Collect:
            return label(*ast::as<ast::Collect>(node).query);
        case NodeKind::VirtualQuery:
            return "Virtual Query";
        case NodeKind::ExportedQuery:
            return "Exported Query";
        case NodeKind::Class:
            return "Host Class Definition";
        case NodeKind::Define:
            return quoted("define");
        case NodeKind::Function:
            return "Function Definition";
        case NodeKind::Plan:
            return "Plan Definition";
        case NodeKind::NodeDefinition:
            return "Node Definition";
        case NodeKind::TypeAlias:
            return "Type Alias";
        case NodeKind::TypeMapping:
            return "Type Mapping";
        case NodeKind::TypeDefinition:
            return "Type Definition";
        case NodeKind::Apply:
            return quoted("apply");
        case NodeKind::ApplyBlock:
            return "Apply Block Expression";
        case NodeKind::Epp:
            return "Epp Template";
        case NodeKind::Render:
            return "Epp Interpolated Expression";
        case NodeKind::RenderString:
            return "Epp Text";
        case NodeKind::Program:
            return "Program";
    }
    return "Expression";
}

}  // namespace volley
