#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "planner/apply/agentless/agent_program.hpp"
#include "planner/apply/agentless/content/fetched_sources.hpp"
#include "planner/apply/applier.hpp"
#include "transports/runtime.hpp"

namespace volley::planner {

class AgentSession;
struct AgentOrder;
struct AgentQuestion;
struct PreparedOrder;

/// Which way a catalog is applied: `apply-method`.
enum class ApplyMethod : std::uint8_t { Auto, Agentless, PuppetAgent };
/// Of a word of the configuration, which has been checked.
ApplyMethod apply_method(std::string_view word);

/// Applies catalogs by Volley's own agent, a program that is sent to a target once and cached there; nothing
/// has to be installed on it. With Auto a catalog that the agent cannot apply, or a target that it cannot run
/// on, is left to the target's puppet-agent.
class AgentlessApplier final : public Applier {
public:
    /// `puppet`: the other way. `settings`: what `apply-settings` has. `runtime` must outlive it.
    AgentlessApplier(transports::Runtime& runtime, ApplyMethod method, std::unique_ptr<Applier> puppet,
                     std::shared_ptr<const Json> settings);

    transports::Task<Json> apply(TargetAccess& access, std::shared_ptr<const CompiledCatalog> catalog,
                                 bool noop) const override;
    /// What the agent finds out, or, where it cannot run: with `auto` the puppet-agent, and at last the task
    /// `facts` with a shell.
    transports::Task<Json> facts(TargetAccess& access, std::vector<DeliveredFile> code) const override;
    /// What the agent finds; where it cannot run, or does not have a type, with `auto` what the puppet-agent
    /// does.
    transports::Task<Json> resources(TargetAccess& access, std::vector<std::string> wanted,
                                     std::vector<DeliveredFile> code) const override;

    /// Makes the catalog of a target from its facts.
    using CompileWithFacts =
        std::function<transports::Task<std::shared_ptr<const CompiledCatalog>>(Json facts)>;
    /// facts(), `compile` and apply(), one after the other; by the agent in one session, which saves starting
    /// it again and some round trips. The ApplyResult, or that of the facts where they are an `_error`.
    /// Throws what they throw. `compile` keeps what it needs, and this applier, alive: it may still run when
    /// the work on the target was given up.
    transports::Task<Result> gather_and_apply(TargetAccess& access, std::vector<DeliveredFile> code,
                                              CompileWithFacts compile, bool noop) const;

    // By the agent, whatever the method is. Both throw Error bolt/apply-error where it cannot be had or done.
    transports::Task<Json> apply_by_agent_only(TargetAccess& access,
                                               std::shared_ptr<const CompiledCatalog> catalog,
                                               bool noop) const;
    /// The agent's answer, as it came: any valid JSON. What it warns of is logged.
    transports::Task<Json> ask(TargetAccess& access, AgentQuestion question) const;

    /// So that a catalog is the same whoever applies it in the end.
    bool wants_resolved_values() const noexcept override { return method_ != ApplyMethod::PuppetAgent; }
    Installs installs() const noexcept override;

private:
    /// The answer; null where the target has no agent that fits. `why`: then the reason.
    transports::Task<Json> apply_by_agent(TargetAccess& access, PreparedOrder prepared,
                                          std::string& why) const;
    /// gather_and_apply() by the agent: the value of the ApplyResult, and null where it cannot. `catalog`:
    /// what was compiled, also then.
    transports::Task<Json> gather_and_apply_by_agent(TargetAccess& access, std::vector<DeliveredFile> code,
                                                     CompileWithFacts compile, bool noop,
                                                     std::shared_ptr<const CompiledCatalog>& catalog,
                                                     std::string& why) const;
    /// What happens on the controller while the agent waits.
    struct Meanwhile;
    transports::Task<void> make_order(std::string facts, std::string target, CompileWithFacts compile,
                                      bool noop, std::shared_ptr<Meanwhile> meanwhile,
                                      std::function<void(AgentOrder)> ordered) const;
    transports::Task<Json> value_of(TargetAccess& access, std::shared_ptr<AgentSession> session) const;
    // The other ways, with the reason why the agent cannot.
    transports::Task<Json> facts_without_agent(TargetAccess& access, std::vector<DeliveredFile> code,
                                               std::string why) const;
    transports::Task<Json> apply_without_agent(TargetAccess& access,
                                               std::shared_ptr<const CompiledCatalog> catalog, bool noop,
                                               std::string why) const;
    /// Runs the agent, which is sent to the target when it is not there; `again` makes a session for each
    /// attempt. Null where the target has no agent that fits; `why`: then the reason.
    using MakeSession = std::function<std::shared_ptr<AgentSession>()>;
    transports::Task<std::shared_ptr<AgentSession>> run_agent(TargetAccess& access, MakeSession again,
                                                              std::string& why) const;
    /// The same of a session that applies: an interruption asks it to end at the next resource.
    transports::Task<std::shared_ptr<AgentSession>> run_applying_agent(TargetAccess& access,
                                                                       MakeSession again,
                                                                       std::string& why) const;
    /// The same, after what the agent has not has been looked for in the catalog: null then, too.
    transports::Task<Json> apply_if_possible(TargetAccess& access,
                                             std::shared_ptr<const CompiledCatalog> catalog, bool noop,
                                             std::string& why) const;
    /// Null where the target has no agent that fits; `why`: then the reason.
    transports::Task<Json> answer_of_agent(TargetAccess& access, AgentQuestion question,
                                           std::string& why) const;
    transports::Task<Json> facts_of_agent(TargetAccess& access, std::vector<DeliveredFile> code,
                                          std::string& why) const;
    /// What starts the agent on that target.
    std::string start_command_for(const std::string& target) const;
    transports::Task<bool> store(TargetAccess& access, std::string machine, std::string& why) const;

    transports::Runtime& runtime_;
    ApplyMethod method_;
    std::unique_ptr<Applier> puppet_;
    std::shared_ptr<const Json> settings_;
    std::shared_ptr<FetchedSources> sources_;
    /// By name of target: what ran there and was verified in this run.
    mutable std::map<std::string, StartedProgram> started_;
};

/// Why the agent cannot run on the target, whatever it is for: "the target's shell is PowerShell". Empty
/// where it may. Connects.
transports::Task<std::string> why_no_agent(TargetAccess& access);

/// Why the agent cannot apply a catalog: the types, providers and values that it does not have, in words for
/// people. Empty when it can.
std::string not_for_agent(const CompiledCatalog& catalog);

}  // namespace volley::planner
