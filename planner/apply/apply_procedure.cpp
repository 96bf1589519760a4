#include "planner/apply/apply_procedure.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "language/serialization/json.hpp"
#include "planner/apply/puppet_agent.hpp"
#include "planner/record/action_identity.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

CatalogNode catalog_node(const inventory::Target& target) {
    Json facts = target.facts();
    facts["bolt"] = true;
    return {target.name(), from_json(facts), from_json(target.vars()), {}, {}};
}

Result helper_result(const TargetAccess& access, std::string_view task, Json value) {
    return Result::of_value(access.target().name(), "task", std::string(task), std::move(value));
}

}  // namespace

transports::Task<Result> ApplyProcedure::perform(TargetAccess& access) const {
    const std::string name = access.target().name();
    access.now_doing("compiling its catalog");
    CatalogNode node = catalog_node(access.target());
    node.external_command = tools_->external_command();
    node.databases = tools_->databases();
    node.database = database_;
    auto compiling = tools_->compile(code_, files_, std::move(node));
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
