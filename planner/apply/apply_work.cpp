#include "planner/apply/apply_work.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "language/json.hpp"
#include "planner/apply/puppet_agent.hpp"
#include "planner/journal/action_identity.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

CatalogNode catalog_node(const inventory::Target& target) {
    Json facts = target.facts();
    facts["bolt"] = true;
    return {target.name(), from_json(facts), from_json(target.vars()), {}, {}};
}

Result helper_result(const TargetDoor& door, std::string_view task, Json value) {
    return Result::of_value(door.target().name(), "task", std::string(task), std::move(value));
}

}  // namespace

transports::Task<Result> ApplyWork::perform(TargetDoor& door) const {
    const std::string name = door.target().name();
    door.now_doing("compiling its catalog");
    CatalogNode node = catalog_node(door.target());
    node.external_command = tools_->external_command();
    node.databases = tools_->databases();
    node.database = database_;
    auto compiling = tools_->compile(code_, files_, std::move(node));
    const std::shared_ptr<const CompiledCatalog> catalog = co_await std::move(compiling);
    log(LogLevel::Info, "planner", "Applying manifest block on [\"" + door.target().safe_name() + "\"]");
    auto applying = tools_->applier().apply(door, catalog, noop_);
    Json value = co_await std::move(applying);
    value["_sensitive"] = Json::object();
    value["_sensitive"]["catalog"] = *catalog->document;  // APL-030
    co_return Result::of_value(name, "apply", std::nullopt, std::move(value));
}

std::string ApplyWork::fingerprint() const {
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

std::vector<std::filesystem::path> ApplyWork::inputs() const { return tools_->code_and_data(); }

std::string FactsWork::object() const { return std::string(PuppetAgentApplier::facts_task); }

transports::Task<Result> FactsWork::perform(TargetDoor& door) const {
    auto reading = tools_->code_files(files_, false);
    std::vector<DeliveredFile> code = co_await std::move(reading);
    auto asking = tools_->applier().facts(door, std::move(code));
    Json facts = co_await std::move(asking);
    co_return helper_result(door, PuppetAgentApplier::facts_task, std::move(facts));
}

std::string ResourcesWork::object() const { return std::string(PuppetAgentApplier::resources_task); }

transports::Task<Result> ResourcesWork::perform(TargetDoor& door) const {
    auto reading = tools_->code_files(files_, false);
    std::vector<DeliveredFile> code = co_await std::move(reading);
    auto asking = tools_->applier().resources(door, wanted_, std::move(code));
    Json found = co_await std::move(asking);
    co_return helper_result(door, PuppetAgentApplier::resources_task, std::move(found));
}

}  // namespace volley::planner
