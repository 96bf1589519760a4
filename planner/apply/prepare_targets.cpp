#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "planner/apply/apply_procedure.hpp"
#include "planner/apply/puppet_library_hook.hpp"
#include "planner/job.hpp"
#include "transports/transport.hpp"

namespace volley::planner {
namespace {

/// Installing software on the machine that the user sits at needs to be asked for (docs/differences.md).
bool has_agent(const inventory::Target& target) {
    const transports::TransportSpec& transport = target.transport_spec();
    if (transport.uses_proxy_target || transport.runs_on_controller) return true;
    const std::vector<std::string> features = target.features();
    return std::ranges::find(features, "puppet-agent") != features.end();
}

/// Those that something is to be installed on.
std::vector<inventory::Target> without_agent(const std::vector<inventory::Target>& targets,
                                             Installs installs) {
    std::vector<inventory::Target> found;
    for (const inventory::Target& target : targets) {
        if (installs == Installs::Nothing || has_agent(target)) continue;
        if (installs == Installs::PuppetAgent || target.own_plugin_hooks().contains("puppet_library"))
            found.push_back(target);
    }
    return found;
}

struct HookGroup {
    PuppetLibraryHook hook;
    std::vector<inventory::Target> targets;
};

/// APL-001, first step, for `bare`. Returns the results of targets where it failed; takes these out of
/// `targets`.
std::vector<Result> install_agents(PlanRun& run, const std::vector<inventory::Target>& bare,
                                   std::vector<inventory::Target>& targets, const ApplyOptions& options) {
    std::map<std::string, HookGroup> groups;
    std::vector<Result> failed;
    for (const inventory::Target& target : bare) {
        try {
            PuppetLibraryHook hook = puppet_library_hook(run, target);
            const std::string key = hook.key;
            groups.try_emplace(key, HookGroup{std::move(hook), {}}).first->second.targets.push_back(target);
        } catch (const Error& error) {
            failed.push_back(Result::of_error(target.name(), "action", error.info()));
        }
    }
    for (auto& [key, group] : groups) {
        Action action{TaskAction{group.hook.task, group.hook.arguments},
                      options.run_as ? options.run_as : group.hook.run_as};
        const ResultSet results = run.execute(std::move(action), group.targets);
        for (const Result& result : results.results()) {
            if (result.ok())
                run.inventory().target(result.target()).set_feature("puppet-agent");  // APL-002
            else
                failed.push_back(result);
        }
    }
    std::set<std::string> lost;
    for (const Result& result : failed) lost.insert(result.target());
    std::erase_if(targets, [&lost](const inventory::Target& target) { return lost.contains(target.name()); });
    return failed;
}

}  // namespace

bool needs_nothing_first(PlanRun& run, const std::vector<inventory::Target>& targets) {
    const Installs installs = run.apply_tools()->applier().installs();
    return installs != Installs::PuppetAgent && without_agent(targets, installs).empty();
}

ResultSet gather_facts(PlanRun& run, std::vector<inventory::Target> targets, const ApplyOptions& options,
                       std::string_view task) {
    auto procedure = std::make_shared<FactsProcedure>(run.apply_tools(), options.required_modules, task);
    Action action{ProcedureAction{std::move(procedure)}, options.run_as};
    ResultSet results = run.execute(std::move(action), std::move(targets));
    for (const Result& result : results.results()) {
        if (!result.ok()) continue;
        inventory::Target target = run.inventory().target(result.target());
        note_facts(target, result.value());
    }
    return results;
}

ResultsRef prepare_targets(PlanRun& run, const std::vector<inventory::Target>& targets,
                           const ApplyOptions& options, const Location& at) {
    const Installs installs = run.apply_tools()->applier().installs();
    const std::vector<inventory::Target> bare = without_agent(targets, installs);
    const bool may_install = installs == Installs::PuppetAgent || !bare.empty();
    QuietStep step(run.executor(), may_install ? "install puppet and gather facts" : "gather facts", targets);
    std::vector<inventory::Target> able = targets;
    std::vector<Result> results = install_agents(run, bare, able, options);
    if (!results.empty() && !options.catch_errors) {
        step.finish(ResultSet(results));
        throw run_failure(run.result_set(ResultSet(results)), "apply_prep", "", at);
    }
    if (!able.empty()) {
        const ResultSet facts = gather_facts(run, std::move(able), options);
        if (!facts.ok() && !options.catch_errors) {
            step.finish(facts);
            throw run_failure(run.result_set(facts), "run_task", "apply_helpers::custom_facts", at);
        }
        results.insert(results.end(), facts.results().begin(), facts.results().end());
    }
    step.finish(ResultSet(results));
    return run.result_set(ResultSet(results));
}

}  // namespace volley::planner
