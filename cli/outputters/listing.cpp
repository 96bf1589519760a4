#include "cli/outputters/listing.hpp"

#include <nlohmann/json.hpp>

#include "planner/plan/plan_run.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

Json names_or_details(const std::vector<inventory::Target>& targets, bool detail) {
    Json list = Json::array();
    for (const inventory::Target& target : targets)
        list.push_back(detail ? target.detail() : Json(target.name()));
    return list;
}

Json path_list(const std::vector<std::filesystem::path>& paths) {
    Json list = Json::array();
    for (const auto& path : paths) list.push_back(path.string());
    return list;
}

/// Of tasks or plans.
template <class Summary>
Json names_and_descriptions(const std::vector<Summary>& summaries) {
    Json list = Json::array();
    for (const Summary& one : summaries)
        list.push_back(Json::array({one.name, one.description ? Json(*one.description) : Json()}));
    return list;
}

template <class Summary>
Json summaries_json(const char* what, const std::vector<Summary>& summaries,
                    const std::vector<std::filesystem::path>& modulepath) {
    return Json{{what, names_and_descriptions(summaries)}, {"modulepath", path_list(modulepath)}};
}

}  // namespace

std::string compact(const Json& json) { return compact_json(json); }

std::string module_location(const tasks::TaskDefinition& task) {
    return task.built_in ? "built-in module" : task.module_directory.string();
}

std::string modulepath_text(const std::vector<std::filesystem::path>& modulepath) {
    std::vector<std::string> entries;
    for (const auto& entry : modulepath) entries.push_back(entry.string());
    return join(entries, ":");
}

Json to_json(const TaskListing& listing) {
    return summaries_json("tasks", listing.tasks, listing.modulepath);
}

Json to_json(const tasks::TaskDefinition& task) {
    Json files = Json::array();
    for (const tasks::Implementation& implementation : task.implementations) {
        files.push_back(Json{{"name", implementation.name}, {"path", implementation.path.string()}});
    }
    for (const auto& [entry, placed] : task.extra_files) {
        for (const transports::PlacedFile& file : placed)
            files.push_back(Json{{"name", file.remote}, {"path", file.local.string()}});
    }
    return Json{{"name", task.name},
                {"files", std::move(files)},
                {"metadata", task.metadata ? *task.metadata : Json::object()},
                {"module_dir", module_location(task)}};
}

Json to_json(const PlanListing& listing) {
    return summaries_json("plans", listing.plans, listing.modulepath);
}

Json to_json(const planner::PlanInfo& plan) {
    Json parameters = Json::object();
    for (const planner::PlanParameter& parameter : plan.parameters) {
        Json& entry = parameters[parameter.name];
        entry["type"] = parameter.type;
        entry["sensitive"] = parameter.sensitive;
        if (parameter.default_value) entry["default_value"] = *parameter.default_value;
        if (parameter.description) entry["description"] = *parameter.description;
    }
    const auto text = [](const std::optional<std::string>& value) { return value ? Json(*value) : Json(); };
    Json json = Json::object();
    json["name"] = plan.name;
    json["description"] = text(plan.description);
    json["parameters"] = std::move(parameters);
    json["private"] = plan.is_private;
    json["summary"] = text(plan.summary);
    json["docstring"] = text(plan.docstring);
    json["module_dir"] = plan.built_in ? "built-in module" : plan.module_directory.string();
    return json;
}

Json to_json(const planner::PlanOutcome& outcome) {
    return outcome.ok() ? planner::plan_json(outcome.value) : outcome.error->to_json();
}

Json to_json(const PolicyListing& listing) {
    Json folders = Json::array();
    for (const auto& folder : listing.modulepath) folders.push_back(folder.string());
    return Json{{"policies", listing.policies}, {"modulepath", std::move(folders)}};
}

Json to_json(const InventoryListing& listing) {
    Json adhoc = names_or_details(listing.adhoc, listing.detail);
    Json known = names_or_details(listing.from_inventory, listing.detail);
    Json all = known;
    all.insert(all.end(), adhoc.begin(), adhoc.end());
    Json json = Json::object();
    json["adhoc"] = Json{{"count", listing.adhoc.size()}, {"targets", std::move(adhoc)}};
    json["inventory"] = Json{{"count", listing.from_inventory.size()},
                             {"targets", std::move(known)},
                             {"file", listing.source},
                             {"default", listing.default_file}};
    json["targets"] = std::move(all);
    json["count"] = listing.adhoc.size() + listing.from_inventory.size();
    return json;
}

Json to_json(const inventory::GroupOutline& outline) {
    Json groups = Json::array();
    for (const inventory::GroupOutline& group : outline.groups) groups.push_back(to_json(group));
    return Json{{"name", outline.name}, {"targets", outline.targets}, {"groups", std::move(groups)}};
}

Json to_json(const ExplanationListing& listing) {
    Json found = Json::array();
    for (const ExplanationListing::Group& group : listing.groups) {
        Json sources = Json::array();
        for (const auto& source : group.explanation.sources) {
            sources.push_back(Json{{"value", source.value},
                                   {"level", source.level},
                                   {"where", source.where.empty() ? Json() : Json(source.where)}});
        }
        found.push_back(Json{{"targets", group.targets}, {"sources", std::move(sources)}});
    }
    return Json{{"key", listing.key}, {"explanations", std::move(found)}};
}

Json to_json(const GroupListing& listing) {
    return Json{{"count", listing.groups.size()}, {"groups", listing.groups}};
}

Json to_json(const PluginListing& listing) {
    Json plugins = Json::object();
    for (const auto& [hook, described] : listing.hooks) plugins[std::string(hook)] = described;
    return Json{{"plugins", std::move(plugins)}, {"modulepath", path_list(listing.modulepath)}};
}

Json to_json(const ModuleListing& listing) {
    Json folders = Json::object();
    for (const ModuleListing::Folder& folder : listing.folders) {
        Json list = Json::array();
        for (const ListedModule& module : folder.modules) {
            Json entry{{"name", module.name}, {"version", module.version ? Json(*module.version) : Json()}};
            if (!folder.group.empty()) entry["internal_module_group"] = folder.group;
            list.push_back(std::move(entry));
        }
        folders[folder.path.string()] = std::move(list);
    }
    return folders;
}

Json to_json(const ModuleInfo& module) {
    return Json{{"name", module.name},
                {"metadata", *module.metadata},
                {"path", module.path.string()},
                {"plans", names_and_descriptions(module.plans)},
                {"tasks", names_and_descriptions(module.tasks)}};
}

Json to_json(const Guide& guide) {
    Json documentation = Json::array();
    if (!guide.documentation.empty()) documentation.push_back(std::string(guide.documentation));
    return Json{{"topic", std::string(guide.topic)},
                {"guide", std::string(guide.text)},
                {"documentation", std::move(documentation)}};
}

}  // namespace volley::cli
