#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language/functions/builtin.hpp"
#include "planner/plan/plan_run.hpp"

/// What plan functions share.
namespace volley::planner {

/// A call of a plan function: the plan it is in, and its arguments, whose types have been checked.
struct PlanCall {
    CallContext& context;
    PlanRun& run;
    std::span<const Value> arguments;

    /// Where the call stands in the plan.
    Location at() const { return context.at; }
    bool has(std::size_t index) const noexcept { return index < arguments.size(); }
    const std::string& text(std::size_t index) const { return arguments[index].as_string(); }
};

using PlanBody = Value (*)(PlanCall&);

/// Runs a body. Errors get the position of the call; errors of loading and of parameters become mistakes of
/// the plan's code, as in Bolt.
Value invoke_plan_function(CallContext& context, std::span<const Value> arguments, PlanBody body);

/// A body as a dispatch wants it. Outside of plans it is the error PLN-017.
template <PlanBody Body>
Value plan_body(CallContext& context, std::span<const Value> arguments) {
    return invoke_plan_function(context, arguments, Body);
}

/// Names that signatures of plan functions use.
std::vector<std::pair<std::string_view, std::string_view>> plan_local_types();

/// What follows the targets of a function that acts on targets, if it is the same for all of them
/// (PLN-010 to PLN-013).
struct StepOptions {
    bool catch_errors = false;
    bool noop = false;
    std::optional<std::string> run_as;
    std::optional<std::string> description;
    std::vector<std::pair<std::string, std::string>> environment;
    Rollout rollout;
    Value all;  ///< the whole hash
    const Value* find(std::string_view name) const { return all.as_hash().find(name); }
};
/// `first`: the index after the targets. With `any_name` the underscore of options may be left out.
StepOptions step_options(const PlanCall& call, std::size_t first, bool any_name = false);

/// The dispatches of a function that acts on targets: `leading` parameters, targets, an optional description,
/// options.
std::vector<Dispatch> step_dispatches(std::vector<Dispatch::Parameter> leading, Dispatch::Body body,
                                      std::string_view block = {});

/// Runs an action on targets and returns the ResultSet; throws bolt/run-failure when some failed, unless
/// errors are caught (PLN-009). `function` and `object` are what the failure names. Nothing happens without
/// targets.
Value run_step(const PlanCall& call, decltype(Action::what) what, std::vector<inventory::Target> targets,
               const StepOptions& options, const std::string& function, const std::string& object);
/// The end of run_step for results that are there already.
Value finish_step(const PlanCall& call, const Ref<const ResultSetObject>& results, bool catch_errors,
                  const std::string& function, const std::string& object);

/// {"file", "line"} of the call.
std::shared_ptr<const Json> call_position(const PlanCall& call);

/// A file given in a plan: absolute, or "module/path" (PLN-015). Throws EvalError when there is none, and
/// when it is a folder and must not be.
std::filesystem::path find_plan_file(const PlanCall& call, const std::string& name, bool folder_allowed);
/// The same without complaining.
std::optional<std::filesystem::path> look_for_plan_file(PlanRun& run, const std::string& name);

/// Text for messages: strings as they are, lists and hashes as JSON (OUT-036).
std::string message_text(const Value& value);

/// The same for functions that work outside of plans too.
[[noreturn]] void fail_call_at(const CallContext& context, std::string_view issue,
                               const std::string& message);
/// What Ruby raises where Bolt has its functions from: shown in its own words, with the position in the
/// details.
[[noreturn]] void fail_as_ruby(const std::string& message);
/// A mistake in the plan's code at the call (not catchable).
[[noreturn]] void fail_call(const PlanCall& call, std::string_view issue, const std::string& message);

}  // namespace volley::planner
