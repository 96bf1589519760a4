#include "planner/plan/plan_hooks.hpp"

#include <algorithm>

#include "language/evaluator/labels.hpp"
#include "language/types/explain.hpp"
#include "planner/apply/apply_steps.hpp"
#include "planner/apply/plan_snapshot.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/plan_run.hpp"

namespace volley::planner {
namespace {

/// Every variable that code at `frame` sees, as a hash of snapshots of values.
Value visible_variables(const FramePtr& frame) {
    HashBuilder variables;
    for (const Frame* at = frame.get(); at != nullptr; at = at->parent().get()) {
        for (const auto& [name, value] : at->variables()) {
            if (!variables.contains(Value(name))) variables.set(Value(name), value);
        }
    }
    return snapshot(variables.build());
}

void check_argument(const ast::Node& node, const TypePtr& type, const Value& value, const std::string& what) {
    if (is_instance(*type, value)) return;
    Evaluator::fail("TYPE_MISMATCH", node, explain_mismatch("Puppet Pal: " + what, type, infer_set(value)));
}

}  // namespace

/// apply(targets, options) { code }: a ResultSet of ApplyResults (FN-003).
Value PlanHooks::apply(Evaluator& evaluator, const ast::Apply& node, const FramePtr& frame) {
    const std::vector<Value> arguments = evaluator.unfolded(node.arguments, frame);
    if (arguments.empty()) Evaluator::fail("", node, "apply requires a TargetSpec");
    if (ast::as<ast::Block>(*node.body).statements.empty())
        Evaluator::fail("", node, "apply requires at least one statement in the apply block");
    TypeLoader& types = evaluator.environment().types;
    check_argument(node, parse_type("Boltlib::TargetSpec", types), arguments[0], "apply targets");
    if (arguments.size() > 1)
        check_argument(node, parse_type("Hash[String, Data]", types), arguments[1], "apply options");
    std::shared_ptr<const ast::Program>& program = blocks_[&node];
    if (!program) program = program_of(node);
    auto code = std::make_shared<const AppliedCode>(AppliedCode{program, visible_variables(frame)});
    const ApplyOptions options = apply_options(arguments.size() > 1 ? arguments[1] : Value());
    try {
        return object_value(
            apply_code(run_, std::move(code), run_.resolve(arguments[0]), options, node.location()));
    } catch (const PlanError& error) {
        if (error.location().known()) throw;
        throw PlanError(error.value(), node.location());
    } catch (const Error& error) {
        throw to_plan_error(error, node.location());
    }
}

Value PlanHooks::evaluate(Evaluator& evaluator, const ast::Node& node, const FramePtr& frame) {
    if (node.kind == ast::NodeKind::Plan) return {};
    if (node.kind == ast::NodeKind::Apply) return apply(evaluator, ast::as<ast::Apply>(node), frame);
    Evaluator::fail("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING", node,
                    "The catalog operation '" + label(node) + "' is only available when compiling a catalog");
}

Value PlanHooks::parameter(Evaluator&, const ast::Node& node, const Type& type, const std::string&) {
    Evaluator::fail("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING", node,
                    "The parameters of " + to_string(type) + " are only available when compiling a catalog");
}

}  // namespace volley::planner
