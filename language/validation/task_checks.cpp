#include "language/evaluator/labels.hpp"
#include "language/validation/checker.hpp"

namespace volley {

bool Checker::in_apply_block() const {
    for (const Node* outer : path_) {
        if (outer->kind == NodeKind::ApplyBlock) return true;
    }
    return false;
}

/// Where plans are part of the language, what makes catalogs belongs into apply blocks; and not all of it
/// does.
bool Checker::is_refused_in_plans(const Node& node) {
    const bool applied = in_apply_block();
    bool refused = false;
    switch (node.kind) {
        case NodeKind::Class:
        case NodeKind::Define:
            refused = true;
            break;
        case NodeKind::NodeDefinition:
        case NodeKind::Relationship:
        case NodeKind::Resource:
        case NodeKind::ResourceDefaults:
        case NodeKind::ResourceOverride:
            refused = !applied;
            break;
        case NodeKind::Collect: {
            const ast::Unary* query = ast::as<ast::Collect>(node).query;
            if (applied && query && query->kind == NodeKind::ExportedQuery)
                return refuse_in_apply_block(node);
            refused = !applied;
            break;
        }
        case NodeKind::Apply:
            return applied && refuse_in_apply_block(node);
        default:
            return false;
    }
    if (refused) {
        error("EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING", node,
              a_an_uc(label(node)) + " is only available when compiling a catalog");
    }
    return refused;
}

bool Checker::refuse_in_apply_block(const Node& node) {
    error("EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING", node,
          a_an_uc(label(node)) + " is not available when compiling a catalog");
    return true;
}

}  // namespace volley
