#include "planner/plan/plan_hooks.hpp"

#include "language/evaluator/labels.hpp"
#include "planner/plan/plan_run.hpp"

namespace volley::planner {

Value PlanHooks::evaluate(Evaluator&, const ast::Node& node, const FramePtr&) {
    if (node.kind == ast::NodeKind::Plan) return {};
    if (node.kind == ast::NodeKind::Apply) {
        throw PlanError(make_error_value("apply blocks are not in this version yet; see issue 5", "volley/not-yet", {}, {}),
                        node.location());
    }
    Evaluator::fail("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING", node,
                    "The catalog operation '" + label(node) + "' is only available when compiling a catalog");
}

Value PlanHooks::parameter(Evaluator&, const ast::Node& node, const Type& type, const std::string&) {
    Evaluator::fail("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING", node,
                    "The parameters of " + to_string(type) + " are only available when compiling a catalog");
}

}  // namespace volley::planner
