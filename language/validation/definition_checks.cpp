#include <algorithm>
#include <unordered_set>

#include "language/evaluator/labels.hpp"
#include "language/syntax/ast_walk.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/validation/checker.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

using ast::as;
using ast::NodeKind;

constexpr std::string_view reserved_names[] = {
    "type",      "any",        "unit",        "scalar",  "boolean",   "numeric",  "integer",
    "float",     "collection", "array",       "hash",    "tuple",     "struct",   "variant",
    "optional",  "enum",       "regexp",      "pattern", "runtime",   "init",     "object",
    "sensitive", "semver",     "semverrange", "string",  "timestamp", "timespan", "typeset"};

/// Segments joined by "::", each beginning with a letter of one case.
bool is_declared_name(std::string_view name, bool (*first)(char)) {
    for (;;) {
        std::size_t end = 0;
        while (end < name.size() && is_word(name[end])) ++end;
        if (end == 0 || !first(name[0])) return false;
        if (end == name.size()) return true;
        if (!name.substr(end).starts_with("::")) return false;
        name.remove_prefix(end + 2);
    }
}

bool lower_first(char c) { return is_lower(c); }
bool upper_first(char c) { return is_upper(c); }

bool is_number_like(std::string_view name) {
    if (name.starts_with("0x")) name.remove_prefix(2);
    return !name.empty() && std::all_of(name.begin(), name.end(), is_digit);
}

bool is_parameter_name(std::string_view name) {
    return !name.empty() && (is_lower(name[0]) || name[0] == '_') &&
           std::all_of(name.begin(), name.end(), is_word);
}

bool is_pattern_with_replacement(const ast::Node& node) {
    if (node.kind != NodeKind::List) return false;
    const auto values = as<ast::List>(node).values;
    return values.size() == 2 && values[0]->kind == NodeKind::Regexp && values[1]->kind == NodeKind::String;
}

}  // namespace

/// A file of a module holds definitions of its own place and nothing else.
void Checker::only_definitions(const Node& body) {
    const auto check_one = [this](const Node& node) {
        switch (node.kind) {
            case NodeKind::Class:
            case NodeKind::Define:
            case NodeKind::Function:
            case NodeKind::Plan:
            case NodeKind::TypeAlias:
            case NodeKind::TypeMapping:
            case NodeKind::TypeDefinition:
                return;
            default:
                error("ILLEGAL_TOP_CONSTRUCT_LOCATION", node,
                      "This " + label(node) + " is unacceptable as a top level construct in this location");
        }
    };
    if (body.kind == NodeKind::Nop) return;
    if (body.kind != NodeKind::Block) return check_one(body);
    for (const Node* statement : as<ast::Block>(body).statements) check_one(*statement);
}

void Checker::check_place(const ast::Definition& node) {
    if (!file_namespace_ || lower(node.name).starts_with(*file_namespace_)) return;
    error("ILLEGAL_DEFINITION_LOCATION", node,
          "Unacceptable location. The name '" + std::string(node.name) + "' is unacceptable in file '" +
              node.location().file + "'");
}

/// Definitions belong at the top, or inside classes.
void Checker::top(const Node& definition) {
    const bool only_top = definition.kind == NodeKind::Function || definition.kind == NodeKind::Plan ||
                          definition.kind == NodeKind::TypeAlias ||
                          definition.kind == NodeKind::TypeDefinition;
    for (std::size_t up = 0;; ++up) {
        const Node* outer = container(up);
        if (!outer || outer->kind == NodeKind::Apply || outer->kind == NodeKind::Class) return;
        if (outer->kind != NodeKind::Block && outer->kind != NodeKind::ApplyBlock) {
            return error(
                "NOT_TOP_LEVEL", definition,
                "Classes, definitions, and nodes may only appear at toplevel or inside other classes");
        }
        if (container(up + 1) && only_top) {
            return error("NOT_ABSOLUTE_TOP_LEVEL", definition,
                         a_an_uc(label(definition)) + " may only appear at toplevel");
        }
    }
}

void Checker::check_definition(const ast::Definition& node) {
    top(node);
    if (!is_declared_name(node.name, lower_first)) {
        error("ILLEGAL_DEFINITION_NAME", node,
              "Unacceptable name. The name '" + std::string(node.name) + "' is unacceptable as the name of " +
                  a_an(label(node)));
    }
    check_place(node);
    reserved_type_name(node, node.name);
    if (node.kind == NodeKind::Function) {
        if (node.return_type) type_reference(*node.return_type, node);
        return unique_names(node.parameters);
    }
    no_capture(node.parameters, node);
    unique_names(node.parameters);
    if (node.kind == NodeKind::Plan) return;
    for (const ast::Parameter* parameter : node.parameters) {
        if (parameter->name != "name" && parameter->name != "title") continue;
        error("RESERVED_PARAMETER", *parameter,
              "The parameter $" + std::string(parameter->name) + " redefines a built in parameter in the " +
                  label(node));
    }
    if (node.kind == NodeKind::Class) literal_types(node.parameters);
    no_value_last(node.body, node);
}

/// As Puppet 8 has it. What a type is made of while the program runs is not known to those who read it.
void Checker::literal_types(std::span<ast::Parameter* const> parameters) {
    for (const ast::Parameter* parameter : parameters) {
        const Node* type = parameter->type;
        if (!type || literal_value(*type)) continue;
        warning("ILLEGAL_NONLITERAL_PARAMETER_TYPE", *parameter,
                "The parameter '$" + std::string(parameter->name) + "' must be a literal type, not " +
                    a_an(label(*type)));
    }
}

void Checker::no_value_last(const Node* body, const Node& definition) {
    if (!body) return;
    const Node* last = body;
    if (body->kind == NodeKind::Block) {
        if (as<ast::Block>(*body).statements.empty()) return;
        last = as<ast::Block>(*body).statements.back();
    }
    if (!has_no_effect(last) || is_resource_without_title(*last)) return;
    error("IDEM_NOT_ALLOWED_LAST", *last,
          "This " + label(*last) + " has no effect. " + a_an_uc(label(definition)) +
              " can not end with a value-producing expression without other effect");
}

void Checker::check_node_definition(const ast::NodeDefinition& node) {
    for (const Node* match : node.matches) hostname(*match, node);
    top(node);
    no_value_last(node.body, node);
    if (node.parent) {
        error("ILLEGAL_NODE_INHERITANCE", *node.parent,
              "Node inheritance is not supported in Puppet >= 4.0.0. See "
              "http://links.puppet.com/puppet-node-inheritance-deprecation");
    }
}

void Checker::hostname(const Node& node, const Node& where) {
    switch (node.kind) {
        case NodeKind::String: {
            const std::string name(as<ast::String>(node).value);
            const bool legal = std::all_of(name.begin(), name.end(),
                                           [](char c) { return is_word(c) || c == '-' || c == '.'; });
            if (legal) return;
            return error(
                "ILLEGAL_HOSTNAME_CHARS", node,
                "The hostname '" + name +
                    "' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)");
        }
        case NodeKind::Concatenated:
            for (const Node* segment : as<ast::Concatenated>(node).segments) {
                if (segment->kind != NodeKind::Text) continue;
                return error("ILLEGAL_HOSTNAME_INTERPOLATION", *as<ast::Unary>(*segment).expr,
                             "An interpolated expression is not allowed in a hostname of a node");
            }
            return;
        case NodeKind::Default:
        case NodeKind::Regexp:
            return;
        default:
            illegal_expression(node, "hostname", where);
    }
}

void Checker::check_type_alias(const ast::TypeAlias& node) {
    top(node);
    if (!is_declared_name(node.name, upper_first)) {
        error("ILLEGAL_DEFINITION_NAME", node,
              "Unacceptable name. The name '" + std::string(node.name) + "' is unacceptable as the name of " +
                  a_an(label(node)));
    }
    type_reference(*node.type_expr, node);
}

/// "type Runtime[ruby, 'Name'] = Type", or a pattern with its replacement on both sides.
void Checker::check_type_mapping(const ast::TypeMapping& node) {
    top(node);
    const auto& left = as<ast::Access>(*node.type_expr);
    const bool runtime =
        left.left->kind == NodeKind::Reference && as<ast::Reference>(*left.left).cased_value == "Runtime";
    if (!runtime) {
        return error(
            "UNSUPPORTED_EXPRESSION", node,
            "Expressions of type " + a_an(label(node)) + " are not supported in this version of Puppet");
    }
    const bool by_pattern = left.keys.size() == 2 && is_pattern_with_replacement(*left.keys[1]);
    const Node& right = *node.mapping;
    const Node& right_name = right.kind == NodeKind::Access ? *as<ast::Access>(right).left : right;
    const bool right_fits =
        by_pattern ? is_pattern_with_replacement(right) : right_name.kind == NodeKind::Reference;
    if (right_fits) return;
    error("ILLEGAL_TYPE_MAPPING", node,
          std::string("Illegal type mapping. Expected a ") + (by_pattern ? "Tuple[Regexp,String]" : "Type") +
              " on the left side, got " + a_an_uc(label(node)));
}

void Checker::type_reference(const Node& type, const Node& where) {
    const Node& name = type.kind == NodeKind::Access ? *as<ast::Access>(type).left : type;
    if (name.kind != NodeKind::Reference) illegal_expression(type, "a type reference", where);
}

void Checker::reserved_type_name(const Node& node, std::string_view name) {
    if (std::find(std::begin(reserved_names), std::end(reserved_names), name) == std::end(reserved_names))
        return;
    error("RESERVED_TYPE_NAME", node,
          "The name: '" + std::string(name) +
              "' is already defined by Puppet and can not be used as the name of " + a_an(label(node)) + ".");
}

void Checker::check_lambda(const ast::Lambda& node) {
    for (std::size_t i = 0; i + 1 < node.parameters.size(); ++i) {
        if (!node.parameters[i]->captures_rest) continue;
        error(
            "CAPTURES_REST_NOT_LAST", *node.parameters[i],
            "Parameter $" + std::string(node.parameters[i]->name) + " is not last, and has 'captures rest'");
    }
    if (node.return_type) type_reference(*node.return_type, node);
}

void Checker::check_parameter(const ast::Parameter& node) {
    const std::string name(node.name);
    if (is_number_like(name)) {
        error("ILLEGAL_NUMERIC_PARAMETER", node,
              "The numeric parameter name '$" + name +
                  "' cannot be used (clashes with numeric match result variables)");
    }
    if (!is_parameter_name(name)) {
        error("ILLEGAL_PARAM_NAME", node,
              "Illegal parameter name. The given name '" + name +
                  "' does not conform to the naming rule /^[a-z_]\\w*$/");
    }
    if (node.value) no_assignment(*node.value);
}

void Checker::no_assignment(const Node& node) {
    if (node.kind == NodeKind::Assignment)
        return error("ILLEGAL_ASSIGNMENT_CONTEXT", node, "Assignment not allowed here");
    if (node.kind == NodeKind::Lambda) return;
    ast::for_each_child(node, [this](const Node& child) { no_assignment(child); });
}

void Checker::no_capture(std::span<ast::Parameter* const> parameters, const Node& where) {
    for (const ast::Parameter* parameter : parameters) {
        if (!parameter->captures_rest) continue;
        error("CAPTURES_REST_NOT_SUPPORTED", *parameter,
              "Parameter $" + std::string(parameter->name) + " has 'captures rest' - not supported in " +
                  a_an(label(where)));
    }
}

void Checker::unique_names(std::span<ast::Parameter* const> parameters) {
    std::unordered_set<std::string_view> seen;
    for (const ast::Parameter* parameter : parameters) {
        if (seen.insert(parameter->name).second) continue;
        error("DUPLICATE_PARAMETER", *parameter,
              "The parameter '" + std::string(parameter->name) +
                  "' is declared more than once in the parameter list");
    }
}

}  // namespace volley
