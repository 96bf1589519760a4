#include "language/loaders/definition_rules.hpp"

#include "language/errors.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

std::string_view loadable_word(Loadable kind) {
    switch (kind) {
        case Loadable::Function:
            return "function";
        case Loadable::Type:
            return "type";
        case Loadable::Plan:
            return "plan";
    }
    return {};
}

/// Compatibility: an alias counts as well as a definition of a type.
std::string_view loadable_description(Loadable kind) {
    return kind == Loadable::Type ? "type alias or type definition" : loadable_word(kind);
}

std::string_view name_of_definition(const ast::Node& node) {
    switch (node.kind) {
        case ast::NodeKind::TypeAlias:
            return ast::as<ast::TypeAlias>(node).name;
        case ast::NodeKind::TypeDefinition:
            return ast::as<ast::TypeDefinition>(node).name;
        default:
            return ast::as<ast::Definition>(node).name;
    }
}

bool defines(const ast::Node& node, Loadable kind) {
    switch (kind) {
        case Loadable::Function:
            return node.kind == ast::NodeKind::Function;
        case Loadable::Type:
            return node.kind == ast::NodeKind::TypeAlias || node.kind == ast::NodeKind::TypeDefinition;
        case Loadable::Plan:
            return node.kind == ast::NodeKind::Plan;
    }
    return false;
}

void check_definition_name(const ast::Node& node, Loadable kind, std::string_view name,
                           const std::string& loaded) {
    const std::string actual(name_of_definition(node));
    if (kind == Loadable::Type) {
        if (lower(actual) == name) return;
        throw EvalError("", loaded + " produced type with the wrong name, expected '" + std::string(name) +
                                "', actual '" + actual + "'");
    }
    if (actual == name) return;
    throw EvalError("", loaded + " produced " + std::string(loadable_word(kind)) +
                            " with the wrong name, expected " + std::string(name) + ", actual " + actual);
}

}  // namespace

const ast::Node& only_definition(const ast::Program& program, Loadable kind, std::string_view name) {
    const std::string loaded = "The code loaded from " + program.source.file();
    const std::string word(loadable_word(kind));
    const std::string wanted = word + " '" + std::string(name) + "'";
    const ast::Node* only = nullptr;
    for (const ast::Node* node : program.definitions) {
        // Nodes inside of apply blocks belong to the plan.
        if (kind == Loadable::Plan && node->kind == ast::NodeKind::NodeDefinition) continue;
        if (only)
            throw EvalError(
                "", loaded + " must contain only the " + wanted + " - it has additional definitions.");
        only = node;
    }
    if (!only) throw EvalError("", loaded + " does not define the " + wanted + " - it is empty.");
    if (!defines(*only, kind)) {
        throw EvalError("", loaded + " does not define the " + wanted + " - no " +
                                std::string(loadable_description(kind)) + " found.");
    }
    check_definition_name(*only, kind, name, loaded);
    if (program.body != only) {
        const std::string tail = kind == Loadable::Type ? "'" + std::string(name) + "'" : std::string(name);
        throw EvalError("",
                        loaded + " contains additional logic - can only contain the " + word + " " + tail);
    }
    return *only;
}

bool is_path_safe_name(std::string_view name) {
    for (;;) {
        std::size_t end = 0;
        while (end < name.size() && is_word(name[end])) ++end;
        if (end == 0) return false;
        if (end == name.size()) return true;
        if (!name.substr(end).starts_with("::")) return false;
        name.remove_prefix(end + 2);
    }
}

std::optional<std::string> path_of_name(std::string_view name, Loadable kind) {
    if (!is_path_safe_name(name)) return std::nullopt;
    const std::size_t colons = name.find("::");
    if (colons == std::string_view::npos) {
        if (kind == Loadable::Function) return std::nullopt;
        return kind == Loadable::Plan ? "init" : "init_typeset";
    }
    std::string path(name.substr(colons + 2));
    for (std::size_t at = path.find("::"); at != std::string::npos; at = path.find("::"))
        path.replace(at, 2, "/");
    return path;
}

}  // namespace volley
