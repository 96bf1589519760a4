#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/outputters/outputter.hpp"
#include "support/json/json.hpp"

namespace volley::cli {

/// The JSON of what verbs list (JSN-008, 009, 014 to 016), shared by the machine-readable formats.
Json to_json(const TaskListing& listing);
Json to_json(const tasks::TaskDefinition& task);
Json to_json(const PlanListing& listing);
Json to_json(const planner::PlanInfo& plan);
/// JSN-006, JSN-007: a plan's value, or its error.
Json to_json(const planner::PlanOutcome& outcome);
Json to_json(const PolicyListing& listing);
Json to_json(const InventoryListing& listing);
Json to_json(const inventory::GroupOutline& outline);
Json to_json(const ExplanationListing& listing);
Json to_json(const GroupListing& listing);
Json to_json(const PluginListing& listing);
Json to_json(const ModuleListing& listing);
Json to_json(const ModuleInfo& module);
Json to_json(const Guide& guide);
/// One line without a newline; bytes that are not UTF-8 do not stop it.
std::string compact(const Json& json);

/// The names and descriptions of tasks or plans, for a table.
template <class Summary>
std::vector<std::pair<std::string, std::string>> listing_rows(const std::vector<Summary>& summaries) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Summary& one : summaries) rows.emplace_back(one.name, one.description.value_or(""));
    return rows;
}

/// The module's folder, or "built-in module" (JSN-009, OUT-021).
std::string module_location(const tasks::TaskDefinition& task);
/// The entries joined by ":".
std::string modulepath_text(const std::vector<std::filesystem::path>& modulepath);

}  // namespace volley::cli
