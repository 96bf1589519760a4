// The types of the parameters of classes and defined types: read once, and checked by every catalog.

#include <algorithm>

#include "apply/compiler/compiler.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"
#include "language/syntax/node_kinds.hpp"
#include "language/text/text.hpp"
#include "language/types/parse.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// Whether the expression means the same in every catalog in which its names do. Collects the names in the
/// order in which they are asked for. Reading it logs nothing but what looking for the names does.
class TypeNames {
public:
    TypeNames(TypeLoader& loader, std::vector<ParameterTypes::Name>& names)
        : loader_(loader), names_(names) {}

    bool collect(const ast::Node& node) {
        const NestingGuard nesting;
        if (ast::is_plain_value(node.kind)) return true;
        switch (node.kind) {
            case ast::NodeKind::Regexp:
                return true;
            case ast::NodeKind::Minus:
                return collect(*ast::as<ast::Unary>(node).expr);
            case ast::NodeKind::List:
                return collect_all(ast::as<ast::List>(node).values);
            case ast::NodeKind::Hash:
                return std::ranges::all_of(ast::as<ast::Hash>(node).entries, [this](const ast::Entry* entry) {
                    return collect(*entry->key) && collect(*entry->value);
                });
            case ast::NodeKind::Access: {
                const auto& access = ast::as<ast::Access>(node);
                return access.left->kind == ast::NodeKind::Reference && collect(*access.left) &&
                       collect_all(access.keys);
            }
            case ast::NodeKind::Reference:
                return collect_name(ast::as<ast::Reference>(node));
            default:
                return false;
        }
    }

private:
    bool collect_all(ast::NodeList nodes) {
        return std::ranges::all_of(nodes, [this](const ast::Node* node) { return collect(*node); });
    }

    /// The name was found before: looking for it again does nothing else.
    bool collect_name(const ast::Reference& node) {
        const TypePtr type = loader_.load(node.cased_value);
        // References to resources are the catalog's own, and may log.
        if (!type || type->kind() == TypeKind::Resource || type->kind() == TypeKind::Class) return false;
        if (types::builtin_type(lower(node.cased_value))) return true;
        const bool noted =
            std::ranges::any_of(names_, [&type](const auto& name) { return name.type == type; });
        if (!noted) names_.push_back({&node, type});
        return true;
    }

    TypeLoader& loader_;
    std::vector<ParameterTypes::Name>& names_;
};

}  // namespace

void Compiler::check_parameters_of(Definition& definition) {
    DefinitionCode& code = *definition.code;
    if (!code.types || !mean_the_same(*code.types)) {
        const auto read = std::make_shared<ParameterTypes>();
        const bool logs = read_parameter_types(definition, *read);
        TypeNames names(environment_.types, read->names);
        const auto lasts = [&names](const ast::Parameter* parameter) {
            return !parameter->type || names.collect(*parameter->type);
        };
        definition.parameter_types = read;
        code.types =
            lease_.code() && !logs && std::ranges::all_of(definition.parameters, lasts) ? read : nullptr;
    } else {
        definition.parameter_types = code.types;
    }
    definition.types = definition.parameter_types->types;
}

/// Asks for every name as reading the types would.
bool Compiler::mean_the_same(const ParameterTypes& types) {
    return std::ranges::all_of(types.names, [this](const ParameterTypes::Name& name) {
        const Value now = evaluator_.evaluate(*name.reference, evaluator_.top());
        return now.as_type() == name.type;
    });
}

/// In the top scope. A break() in it leaves nothing that is around.
Value Compiler::evaluate_apart(const ast::Node& node) {
    try {
        return evaluator_.evaluate(node, evaluator_.top());
    } catch (const Jump& jump) {
        Evaluator::fail_jump(jump);
    }
}

/// True when it has logged something by itself.
bool Compiler::read_parameter_types(const Definition& definition, ParameterTypes& types) {
    bool logs = false;
    for (const ast::Parameter* parameter : definition.parameters) {
        if (is_metaparameter(parameter->name)) {
            const std::string name(parameter->name);
            if (!parameter->value) {
                throw EvalError("", name +
                                        " is a metaparameter; please choose another parameter name in the " +
                                        definition.name + " definition");
            }
            environment_.host.log(
                {Severity::Warning,
                 name +
                     " is a metaparam; this value will inherit to all contained resources in "
                     "the " +
                     definition.name + " definition",
                 "",
                 {}});
            logs = true;
        }
        TypePtr type;
        if (parameter->type) {
            const Value value = evaluate_apart(*parameter->type);
            if (value.is(Kind::Type)) type = value.as_type();
        }
        types.types.push_back(std::move(type));
    }
    return logs;
}

}  // namespace volley
