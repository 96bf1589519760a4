#include "planner/apply/apply_procedure.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "language/serialization/json.hpp"
#include "planner/apply/agentless/agentless.hpp"
#include "planner/apply/puppet_agent.hpp"
#include "planner/record/action_identity.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

CatalogNode catalog_node(const inventory::Target& target, const ApplyTools& tools, std::string database) {
    Json facts = target.facts();
    facts["bolt"] = true;
    CatalogNode node{target.name(), from_json(facts), from_json(target.vars()), {}, {}};
    node.external_command = tools.external_command();
    node.databases = tools.databases();
    node.database = std::move(database);
    return node;
}

/// Agents below version 6 are warned about (APL-004).
void warn_of_old_agent(const std::string& target, const Json& facts) {
    const auto version = facts.find("clientversion");
    if (version == facts.end() || !version->is_string()) return;
    const std::string text = version->get<std::string>();
    if (text.empty() || text[0] < '0' || text[0] > '9' || std::stol(text.substr(0, 9)) >= 6) return;
    log_warning_once("unsupported_puppet", "planner",
                     "Detected unsupported Puppet agent version " + text + " on target " + target +
                         ". Volley supports Puppet agent 6.0.0 and higher.");
}

Result helper_result(const TargetAccess& access, std::string_view task, Json value) {
    return Result::of_value(access.target().name(), "task", std::string(task), std::move(value));
}

}  // namespace

void note_facts(inventory::Target& target, const Json& facts) {
    warn_of_old_agent(target.name(), facts);
    target.add_facts(facts);
}

transports::Task<Result> ApplyProcedure::gather_and_apply(TargetAccess& access) const {
    auto reading = tools_->code_files(files_, false);
    std::vector<DeliveredFile> code = co_await std::move(reading);
    log(LogLevel::Info, "planner", "Applying manifest block on [\"" + access.target().safe_name() + "\"]");
    // Not of this procedure, nor of `access`: it may come to its end after both.
    AgentlessApplier::CompileWithFacts compile = [tools = tools_, manifest = code_, files = files_,
                                                  database = database_,
                                                  target = access.target()](const Json& facts) mutable {
        note_facts(target, facts);
        return tools->compile(manifest, files, catalog_node(target, *tools, database));
    };
    auto applying = tools_->agent().gather_and_apply(access, std::move(code), std::move(compile), noop_);
    co_return co_await std::move(applying);
}

transports::Task<Result> ApplyProcedure::perform(TargetAccess& access) const {
    if (gather_facts_) {
        auto gathering = gather_and_apply(access);
        co_return co_await std::move(gathering);
    }
    const std::string name = access.target().name();
    access.now_doing("compiling its catalog");
    auto compiling = tools_->compile(code_, files_, catalog_node(access.target(), *tools_, database_));
    const std::shared_ptr<const CompiledCatalog> catalog = co_await std::move(compiling);
    log(LogLevel::Info, "planner", "Applying manifest block on [\"" + access.target().safe_name() + "\"]");
    auto applying = tools_->applier().apply(access, catalog, noop_);
    Json value = co_await std::move(applying);
    co_return Result::of_apply(name, std::move(value), catalog->document);
}

std::string ApplyProcedure::fingerprint() const {
    const std::string_view source = code_->program->source.text();
    std::string all(source);
    if (noop_) all += " noop";
    if (!code_->variables.is_hash()) return all;
    // Of the plan's variables those that the code may mean.
    for (const Hash::Entry& entry : code_->variables.as_hash()) {
        if (!entry.key.is_string() || source.find(entry.key.as_string()) == std::string_view::npos) continue;
        all += "\n" + entry.key.as_string() + "=" + identity_text(entry.value);
    }
    return all;
}

std::vector<std::filesystem::path> ApplyProcedure::inputs() const { return tools_->code_and_data(); }

FactsProcedure::FactsProcedure(std::shared_ptr<ApplyTools> tools,
                               const std::vector<std::string>& required_modules, std::string_view task)
    : tools_(std::move(tools)),
      files_(tools_->module_files(required_modules)),
      task_(task.empty() ? PuppetAgentApplier::facts_task : task) {}

transports::Task<Result> FactsProcedure::perform(TargetAccess& access) const {
    auto reading = tools_->code_files(files_, false);
    std::vector<DeliveredFile> code = co_await std::move(reading);
    auto asking = tools_->applier().facts(access, std::move(code));
    Json facts = co_await std::move(asking);
    co_return helper_result(access, task_, std::move(facts));
}

std::string ResourcesProcedure::object() const { return std::string(PuppetAgentApplier::resources_task); }

transports::Task<Result> ResourcesProcedure::perform(TargetAccess& access) const {
    auto reading = tools_->code_files(files_, false);
    std::vector<DeliveredFile> code = co_await std::move(reading);
    auto asking = tools_->applier().resources(access, wanted_, std::move(code));
    Json found = co_await std::move(asking);
    co_return helper_result(access, PuppetAgentApplier::resources_task, std::move(found));
}

}  // namespace volley::planner
