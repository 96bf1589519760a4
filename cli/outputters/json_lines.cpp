#include "cli/outputters/json_lines.hpp"

#include <nlohmann/json.hpp>

namespace volley::cli {

void JsonLines::print(const Json& json) {
    console_.write_line(compact(json));
    console_.flush();
}

void JsonLines::print_tasks(const TaskListing& listing) { print(to_json(listing)); }

void JsonLines::print_task(const tasks::TaskDefinition& task) { print(to_json(task)); }

void JsonLines::print_plans(const PlanListing& listing) { print(to_json(listing)); }

void JsonLines::print_plan(const planner::PlanInfo& plan) { print(to_json(plan)); }

void JsonLines::print_policies(const PolicyListing& listing) { print(to_json(listing)); }

void JsonLines::print_inventory(const InventoryListing& listing) { print(to_json(listing)); }

void JsonLines::print_outline(const inventory::GroupOutline& outline) { print(to_json(outline)); }

void JsonLines::print_explanations(const ExplanationListing& listing) { print(to_json(listing)); }

void JsonLines::print_groups(const GroupListing& listing) { print(to_json(listing)); }

void JsonLines::print_plugins(const PluginListing& listing) { print(to_json(listing)); }

void JsonLines::print_modules(const ModuleListing& listing) { print(to_json(listing)); }

void JsonLines::print_module(const ModuleInfo& module) { print(to_json(module)); }

void JsonLines::print_action_step(std::string_view step) { print_message(step); }

void JsonLines::print_document(const std::string&, const Json& data) { print(data); }

void JsonLines::print_guide(const Guide& guide) { print(to_json(guide)); }

void JsonLines::print_new_plan(const std::string& name, const std::filesystem::path& path) {
    print(Json{{"name", name}, {"path", path.string()}});
}

void JsonLines::print_puppetfile_result(const std::filesystem::path& puppetfile,
                                        const std::filesystem::path& modules) {
    print(Json{{"success", true}, {"puppetfile", puppetfile.string()}, {"moduledir", modules.string()}});
}

void JsonLines::print_guides(const std::vector<std::string>& topics) { print(Json{{"topics", topics}}); }

}  // namespace volley::cli
