#include <nlohmann/json.hpp>

#include "language/evaluator/closure.hpp"
#include "planner/functions/plan_function.hpp"
#include "planner/functions/task_arguments.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/rollout_options.hpp"

namespace volley::planner {
namespace {

/// What is wrong with one target's parameters is that target's result (FN-025).
std::optional<tasks::Arguments> arguments_for(PlanCall& call, const tasks::TaskDefinition& task,
                                              const inventory::Target& target, std::vector<ResultRef>& failed,
                                              bool noop) {
    const Value target_value = call.run.target_value(target);
    const Value given = call.context.yield({target_value});
    std::string problem;
    if (!given.is_hash()) {
        problem =
            "Block must return a Hash of parameters, received " + to_string(*infer(given)->generalize());
    } else {
        try {
            return task_arguments(call, task, given, noop);
        } catch (const LanguageError& error) {
            problem = error.full_message();
        } catch (const Error& error) {
            if (is_catchable(error)) throw;
            problem = error.what();
        }
    }
    const ErrorInfo error("puppetlabs.tasks/exception-error", problem,
                          Json{{"class", "Puppet::ParseErrorWithIssue"}}, "EXCEPTION");
    Result result = Result::of_error(target.name(), "task", error);
    failed.push_back(make_shared_object<ResultObject>(
        std::move(result), Ref<const TargetObject>(object_in<TargetObject>(target_value))));
    return std::nullopt;
}

Value do_run_task_with(PlanCall& call) {
    const StepOptions options = step_options(call, 2);
    const std::vector<inventory::Target> targets = call.run.resolve(call.arguments[1]);
    const auto task = targets.empty() ? nullptr : call.run.library().find_task(call.text(0));
    const bool noop =
        options.noop;  // compatibility (TSK-046): a run that is noop as a whole does not count here
    auto arguments_of = std::make_shared<std::unordered_map<std::string, tasks::Arguments>>();
    std::vector<inventory::Target> ready;
    std::vector<ResultRef> failed;
    for (const inventory::Target& target : targets) {
        auto arguments = arguments_for(call, *task, target, failed, noop);
        if (!arguments) continue;
        arguments_of->emplace(target.name(), std::move(*arguments));
        ready.push_back(target);
    }
    StepOptions caught = options;
    caught.catch_errors = true;
    const Value ran = run_step(call, TaskAction{task, {}, noop, arguments_of}, std::move(ready), caught,
                               "run_task", call.text(0));
    std::vector<ResultRef> all = object_in<ResultSetObject>(ran)->results();
    all.insert(all.end(), failed.begin(), failed.end());  // compatibility: last
    return finish_step(call, make_shared_object<ResultSetObject>(std::move(all)), options.catch_errors,
                       "run_task", call.text(0));
}

}  // namespace

const Builtin& run_task_with_function() {
    static const Builtin def{
        .name = "run_task_with",
        .doc = "Runs a task on targets, with parameters that a block returns for each of them.",
        .dispatches =
            step_dispatches({{"String[1]", "task_name"}}, plan_body<do_run_task_with>, "Callable[Target]"),
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options =
            FunctionOptions{with_rollout_options({"_catch_errors", "_description", "_noop", "_run_as"})},
    };
    return def;
}

}  // namespace volley::planner
