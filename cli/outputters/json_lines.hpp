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

    void print_tasks(const TaskListing& listing) override;
    void print_task(const tasks::TaskDefinition& task) override;
    void print_plans(const PlanListing& listing) override;
    void print_plan(const planner::PlanInfo& plan) override;
    void print_new_plan(const std::string& name, const std::filesystem::path& path) override;
    void print_policies(const PolicyListing& listing) override;
    void print_new_policy(const std::string& name, const std::filesystem::path& path) override {
        print_new_plan(name, path);
    }
    void print_inventory(const InventoryListing& listing) override;
    void print_outline(const inventory::GroupOutline& outline) override;
    void print_explanations(const ExplanationListing& listing) override;
    void print_groups(const GroupListing& listing) override;
    void print_plugins(const PluginListing& listing) override;
    void print_modules(const ModuleListing& listing) override;
    void print_module(const ModuleInfo& module) override;
    void print_puppetfile_result(const std::filesystem::path& puppetfile,
                                 const std::filesystem::path& modules) override;
    void print_action_step(std::string_view step) override;
    void print_document(const std::string& text, const Json& data) override;
    void print_guides(const std::vector<std::string>& topics) override;
    void print_guide(const Guide& guide) override;

protected:
    /// One line, which a reader on the other side of a pipe gets at once.
    void print(const Json& json);

    Console& console_;
};

}  // namespace volley::cli
