#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/outputters/listing.hpp"
#include "cli/outputters/outputter.hpp"

namespace volley::cli {

/// What the machine-readable formats have in common: whatever verbs list is one line of JSON (JSN-008, 009,
/// 014 to 016).
class JsonLines : public Outputter {
public:
    explicit JsonLines(Console& console) : console_(console) {}

    void print_tasks(const TaskListing& listing) override { print(to_json(listing)); }
    void print_task(const tasks::TaskDefinition& task) override { print(to_json(task)); }
    void print_plans(const PlanListing& listing) override { print(to_json(listing)); }
    void print_plan(const planner::PlanInfo& plan) override { print(to_json(plan)); }
    void print_new_plan(const std::string& name, const std::filesystem::path& path) override;
    void print_policies(const PolicyListing& listing) override { print(to_json(listing)); }
    void print_new_policy(const std::string& name, const std::filesystem::path& path) override {
        print_new_plan(name, path);
    }
    void print_inventory(const InventoryListing& listing) override { print(to_json(listing)); }
    void print_outline(const inventory::GroupOutline& outline) override { print(to_json(outline)); }
    void print_explanations(const ExplanationListing& listing) override { print(to_json(listing)); }
    void print_groups(const GroupListing& listing) override { print(to_json(listing)); }
    void print_plugins(const PluginListing& listing) override { print(to_json(listing)); }
    void print_modules(const ModuleListing& listing) override { print(to_json(listing)); }
    void print_module(const ModuleInfo& module) override { print(to_json(module)); }
    void print_puppetfile_result(const std::filesystem::path& puppetfile,
                                 const std::filesystem::path& modules) override;
    void print_action_step(std::string_view step) override { print_message(step); }
    void print_document(const std::string&, const Json& data) override { print(data); }
    void print_guides(const std::vector<std::string>& topics) override;
    void print_guide(const Guide& guide) override { print(to_json(guide)); }

protected:
    /// One line, which a reader on the other side of a pipe gets at once.
    void print(const Json& json);

    Console& console_;
};

}  // namespace volley::cli
