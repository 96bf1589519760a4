#include "planner/apply/apply_steps.hpp"

#include <algorithm>
#include <utility>

#include "language/text/text.hpp"
#include "planner/apply/apply_procedure.hpp"
#include "planner/plan/rollout_options.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

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

/// Bolt says nothing; but `_nop => true` would change what only was to be looked at.
void warn_of_unknown_options(const Hash& options, std::string_view function, const FunctionOptions& names) {
    const std::vector<std::string> known(names.names.begin(), names.names.end());
    for (const Hash::Entry& option : options) {
        const std::string given = to_text(option.key);
        const std::string name = given.starts_with('_') ? given : "_" + given;
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const auto meant = closest_match(name, known);
        log_warning("unknown_apply_option", "planner",
                    std::string(function) + " has no option '" + given + "'; it is ignored" +
                        (meant ? ". Did you mean '" + *meant + "'?" : ""));
    }
}

}  // namespace

const FunctionOptions& apply_option_names() {
    static const FunctionOptions options{with_rollout_options({"_catch_errors", "_description", "_noop",
                                                               "_puppetdb", "_required_modules", "_run_as"}),
                                         true};
    return options;
}

ApplyOptions apply_options(const Value& options, std::string_view function, const FunctionOptions& names) {
    ApplyOptions read;
    if (!options.is_hash()) return read;
    const Hash& given = options.as_hash();
    warn_of_unknown_options(given, function, names);
    const auto truthy = [&given](const char* name) {
        const Value* value = apply_option(given, name);
        return value && value->truthy();
    };
    read.catch_errors = truthy("catch_errors");
    read.noop = truthy("noop");
    read.run_as = apply_text_option(given, "run_as");
    read.description = apply_text_option(given, "description");
    read.rollout = rollout_of(given, true);
    read.database = apply_text_option(given, "puppetdb").value_or("");
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
    auto work = std::make_shared<ApplyProcedure>(run.apply_tools(), std::move(code), options);
    Action action{ProcedureAction{std::move(work)}, options.run_as, options.description};
    action.rollout = options.rollout;
    ResultsRef results = run.result_set(run.execute(std::move(action), std::move(targets)));
    if (!results->ok() && !options.catch_errors) throw run_failure(results, "apply", "catalog", at);
    return results;
}

QuietStep::QuietStep(Executor& executor, std::string description,
                     const std::vector<inventory::Target>& targets)
    : executor_(executor), description_(std::move(description)) {
    executor_.publish(ActionStarted{"action", description_, targets.size(), targets, 0});
    executor_.publish(OutputSwitched{true});
}

QuietStep::~QuietStep() {
    executor_.publish(OutputSwitched{false});
    executor_.publish(ActionFinished{description_, results_, std::chrono::steady_clock::now() - begin_, 0});
}

}  // namespace volley::planner
