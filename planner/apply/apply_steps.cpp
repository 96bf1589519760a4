#include "planner/apply/apply_steps.hpp"

#include <utility>

#include "planner/apply/apply_work.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

const Value* apply_option(const Hash& options, const std::string& name) {
    const Value* value = options.find("_" + name);
    return value ? value : options.find(name);
}

std::optional<std::string> apply_text_option(const Hash& options, const std::string& name) {
    const Value* value = apply_option(options, name);
    return value && value->is_string() ? std::optional(value->as_string()) : std::nullopt;
}

}  // namespace

ApplyOptions apply_options(const Value& options) {
    ApplyOptions read;
    if (!options.is_hash()) return read;
    const Hash& given = options.as_hash();
    const auto truthy = [&given](const char* name) {
        const Value* value = apply_option(given, name);
        return value && value->truthy();
    };
    read.catch_errors = truthy("catch_errors");
    read.noop = truthy("noop");
    read.run_as = apply_text_option(given, "run_as");
    read.description = apply_text_option(given, "description");
    const Value* modules = apply_option(given, "required_modules");
    if (modules && modules->is_string()) read.required_modules.push_back(modules->as_string());
    if (modules && modules->is_array()) {
        for (const Value& name : modules->as_array()) {
            if (name.is_string()) read.required_modules.push_back(name.as_string());
        }
    }
    return read;
}

ResultsRef apply_code(PlanRun& run, std::shared_ptr<const AppliedCode> code,
                      std::vector<inventory::Target> targets, const ApplyOptions& options,
                      const Location& at) {
    if (targets.empty()) {
        log(LogLevel::Debug, "planner", "Simulating apply() - no targets given - no action taken");
        return make_shared_object<ResultSetObject>(std::vector<ResultRef>());
    }
    auto work = std::make_shared<ApplyWork>(run.apply_tools(), std::move(code), options.required_modules,
                                            options.noop);
    Action action{WorkAction{std::move(work)}, options.run_as, options.description};
    ResultsRef results = run.result_set(run.execute(std::move(action), std::move(targets)));
    if (!results->ok() && !options.catch_errors) throw run_failure(results, "apply", "catalog", at);
    return results;
}

QuietStep::QuietStep(Executor& executor, std::string description,
                     const std::vector<inventory::Target>& targets)
    : executor_(executor), description_(std::move(description)) {
    executor_.publish(ActionStarted{"action", description_, targets.size(), targets});
    executor_.publish(OutputSwitched{true});
}

QuietStep::~QuietStep() {
    executor_.publish(OutputSwitched{false});
    executor_.publish(ActionFinished{description_, results_, std::chrono::steady_clock::now() - begin_});
}

}  // namespace volley::planner
