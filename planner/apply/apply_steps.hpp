#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/functions/builtin.hpp"
#include "planner/apply/catalog_source.hpp"
#include "planner/plan/plan_run.hpp"

namespace volley::planner {

/// What the options of apply() say (APL-005).
struct ApplyOptions {
    bool catch_errors = false;
    bool noop = false;
    bool gather_facts = false;  ///< of each target, and before its catalog is compiled
    std::optional<std::string> run_as = std::nullopt;
    std::optional<std::string> description = std::nullopt;
    std::vector<std::string> required_modules = {};
    std::string database =
        {};  ///< the instance that puppetdb_query and puppetdb_fact ask by default; empty: the project's
    Rollout rollout = {};
};

/// The names of those options.
const FunctionOptions& apply_option_names();
/// Reads them from a hash whose keys may begin with an underscore. Warns of those that `function`, which
/// knows `names`, does not know.
ApplyOptions apply_options(const Value& options, std::string_view function = "apply",
                           const FunctionOptions& names = apply_option_names());

using ResultsRef = Ref<const ResultSetObject>;

/// From a fiber: applies code on targets. Throws the PlanError bolt/apply-failure when that failed on some
/// and errors are not caught. `at`: the call, for errors.
ResultsRef apply_code(PlanRun& run, std::shared_ptr<const AppliedCode> code,
                      std::vector<inventory::Target> targets, const ApplyOptions& options,
                      const Location& at);

/// From a fiber: apply_prep (APL-001 to APL-004): has the agent installed where there is none, gathers facts
/// and notes them in the inventory. Of `options` only catch_errors, run_as and required_modules count.
ResultsRef prepare_targets(PlanRun& run, const std::vector<inventory::Target>& targets,
                           const ApplyOptions& options, const Location& at);

/// Whether nothing has to be installed on any of the targets before something is applied: then facts can be
/// gathered on the way (ApplyOptions::gather_facts).
bool needs_nothing_first(PlanRun& run, const std::vector<inventory::Target>& targets);

/// Notes facts of a target in its inventory. Warns where they are of an old puppet-agent (APL-004).
void note_facts(inventory::Target& target, const Json& facts);

/// From a fiber: gathers facts and notes them in the inventory, and installs nothing. `task`: what the
/// results say it was; empty: apply_prep's own.
ResultSet gather_facts(PlanRun& run, std::vector<inventory::Target> targets, const ApplyOptions& options,
                       std::string_view task = {});

/// Reports a step of several actions, whose own output is not shown (OUT-014).
class QuietStep {
public:
    QuietStep(Executor& executor, std::string description, const std::vector<inventory::Target>& targets);
    ~QuietStep();
    QuietStep(const QuietStep&) = delete;
    QuietStep& operator=(const QuietStep&) = delete;
    /// The results that it ends with; the destructor reports.
    void finish(const ResultSet& results) { results_ = results; }

private:
    Executor& executor_;
    std::string description_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    ResultSet results_;
};

}  // namespace volley::planner
