#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/outputters/outputter.hpp"
#include "cli/outputters/stream_lines.hpp"
#include "language/value.hpp"

namespace volley::cli {

struct ChangeGroup;
struct ResultGroup;

enum class Color { Dim, Red, Green, Yellow, Cyan, Plain };

/// Text for people, as Bolt writes it (OUT-001 to OUT-027).
class HumanOutputter : public Outputter {
public:
    HumanOutputter(Console& console, OutputSettings settings) : console_(console), settings_(settings) {}

    void on_event(const planner::Event& event) override;
    void print_summary(const planner::ResultSet& results, std::chrono::nanoseconds elapsed) override;
    void print_result_set(const planner::ResultSet& results) override { print_result_lines(results); }
    void print_tasks(const TaskListing& listing) override;
    void print_task(const tasks::TaskDefinition& task) override;
    void print_plans(const PlanListing& listing) override;
    void print_plan(const planner::PlanInfo& plan) override;
    void print_new_plan(const std::string& name, const std::filesystem::path& path) override;
    void print_plan_outcome(const planner::PlanOutcome& outcome) override;
    void begin_apply() override {
        ++plan_depth_;
        applying_ = true;
    }
    void print_policies(const PolicyListing& listing) override;
    void print_new_policy(const std::string& name, const std::filesystem::path& path) override;
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
    void print_action_error(std::string_view error) override;
    void print_guides(const std::vector<std::string>& topics) override;
    void print_guide(const Guide& guide) override;
    void print_message(std::string_view message) override;
    void fatal_error(const ErrorInfo& error) override;
    bool for_people() const noexcept override { return true; }
    bool shows(const planner::Event& event) const override;

protected:
    /// `text` between color codes; as it is without a terminal or when colors are off (OUT-032).
    virtual std::string colorize(Color color, std::string_view text);
    bool colors() const noexcept { return settings_.color && console_.is_terminal(); }

    Console& console() noexcept { return console_; }
    const OutputSettings& settings() const noexcept { return settings_; }

private:
    std::string shown_name(std::string_view target) const;
    void print_result(const planner::Result& result, bool with_output = true);
    void note_size(const planner::Event& event);
    void print_trace(std::string_view kind, const Json& details);
    void print_command_body(std::string_view output);
    void print_lookup_body(const Json& value);
    void print_value_body(const planner::Result& result);
    void print_apply_body(const planner::Result& result);
    void print_resource_body(const planner::Result& result);
    void print_facts_body(const planner::Result& result);
    void print_log_groups(const planner::ResultSet& results);
    /// A line of a report; `difference`: how content changes, which has colors of its own.
    void write_log(const std::string& text, Color color, bool difference);
    void note_apply(const planner::Event& event);
    void print_stream(const planner::TargetOutput& output);
    void print_stream_line(const std::string& name, transports::Stream stream, std::string_view line);
    void on_plan_event(const planner::Event& event);
    void print_step_start(const planner::ActionStarted& step);
    void print_step_taken(const planner::ActionTaken& step);
    void print_step_finish(const planner::ActionFinished& step);
    void print_step_failures(const planner::ActionFinished& step);
    void print_container(const planner::ContainerOutcome& outcome);
    void print_plan_value(const Value& value);
    void print_plan_error(const ErrorInfo& error);
    void print_result_lines(const planner::ResultSet& results);
    void print_totals(const planner::ResultSet& results, std::string_view ending);
    bool is_grouped(std::size_t step) const { return grouping_ || grouped_steps_.contains(step); }
    bool groups(std::string_view action, std::size_t targets) const;
    void print_step_groups(const planner::ActionFinished& step);
    void print_result_groups(const planner::ResultSet& results, bool with_successes);
    void print_group_diff(const ResultGroup& usual, const ResultGroup& group);
    void print_changes(const planner::ResultSet& results);
    void print_new_values(const ChangeGroup& group);
    void print_step_failure_groups(const planner::ActionFinished& step);
    void print_failure_groups(const planner::ResultSet& results);
    std::string inventory_source(const std::string& source, bool exists, const std::string& default_file);
    std::string target_summary(const InventoryListing& listing);
    void heading(std::string& out, std::string_view text);
    /// A heading and a table of two columns; nothing without rows.
    void section(std::string& out, std::string_view title,
                 const std::vector<std::pair<std::string, std::string>>& rows);
    /// What a listing of tasks or plans calls them: "task", "Tasks", "TASK".
    struct ContentLabels {
        std::string_view one, title, placeholder;
    };
    /// OUT-020. `rows`: names and descriptions.
    void print_content_list(const ContentLabels& words, std::vector<std::pair<std::string, std::string>> rows,
                            const std::vector<std::filesystem::path>& modulepath);

    Console& console_;
    OutputSettings settings_;
    StreamLines stream_lines_;
    std::multiset<std::string, std::less<>> large_actions_;  // descriptions of those under way
    bool grouping_ = false;                // results of the action under way are shown together at its end
    std::set<std::size_t> grouped_steps_;  // of plans: the same, of those under way
    int plan_depth_ = 0;                   // plans under way; steps are reported only inside
    int switched_off_ = 0;                 // without_default_logging, nested
    int steps_running_ = 0;
    bool steps_beside_ = false;  // more than one since none ran
    int grouped_applies_ = 0;    // steps under way that apply a catalog to several targets
    bool applying_ = false;      // the results of the only step are printed as a whole
};

}  // namespace volley::cli
