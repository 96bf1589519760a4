#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/terminal/console.hpp"
#include "inventory/explanation.hpp"
#include "inventory/targets/target.hpp"
#include "planner/event.hpp"
#include "planner/plan/plan_library.hpp"
#include "planner/results/result.hpp"
#include "support/error.hpp"
#include "tasks/library.hpp"
#include "tasks/task.hpp"

namespace volley::planner {
struct PlanOutcome;
}

namespace volley::cli {

/// Whether results that say the same are shown once: Auto is where many are shown on a terminal.
enum class Grouping { Auto, On, Off };

struct OutputSettings {
    bool color = false;   ///< the user's wish; a terminal is needed as well
    bool verbose = true;  ///< results target by target
    bool trace = false;   ///< more about errors
    bool stream = false;  ///< output of targets is shown as it arrives
    bool yaml = false;    ///< people are shown resources and facts as YAML
    Grouping grouping = Grouping::Auto;
    bool diff = false;                     ///< how groups differ from the largest one
    std::vector<std::string> fields = {};  ///< columns of tables; empty: the usual ones
};

struct TaskListing {
    std::vector<tasks::TaskSummary> tasks;
    std::vector<std::filesystem::path> modulepath;
};

struct PlanListing {
    std::vector<planner::PlanSummary> plans;
    std::vector<std::filesystem::path> modulepath;
};

/// What `policy show` shows (JSN-021).
struct PolicyListing {
    std::vector<std::string> policies;
    std::vector<std::filesystem::path> modulepath;
};

/// What `inventory show` shows. Targets are handles: their data is merged only when a format wants it.
struct InventoryListing {
    std::vector<inventory::Target> adhoc;
    std::vector<inventory::Target> from_inventory;
    std::string source;  ///< a path or BOLT_INVENTORY; the default path when there is no file
    bool source_exists = true;
    std::string default_file;
    bool detail = false;
    bool targets_chosen = false;  ///< a targeting option was given
};

struct GroupListing {
    std::vector<std::string> groups;  ///< sorted
    std::string source;
    bool source_exists = true;
    std::string default_file;
};

/// What `inventory show --explain KEY` shows: targets of which the same can be said are together.
struct ExplanationListing {
    struct Group {
        std::vector<std::string> targets;
        inventory::Explanation explanation;
    };
    std::string key;
    std::vector<Group> groups;
};

/// What `plugin show` shows.
struct PluginListing {
    /// Each hook, and the plugins that have it with a description, by name.
    std::vector<std::pair<std::string_view, std::map<std::string, std::string>>> hooks;
    std::vector<std::filesystem::path> modulepath;
};

/// One module in a folder of the modulepath.
struct ListedModule {
    std::string name;                    ///< "owner/name" when its metadata has it, else its folder's
    std::optional<std::string> version;  ///< nullopt: no metadata
};

/// What `module show` shows (JSN-017, OUT-023).
struct ModuleListing {
    struct Folder {
        std::filesystem::path path;
        std::string group;  ///< "Project Dependencies", "Packaged Modules"; empty for the user's own
        std::vector<ListedModule> modules;
    };
    std::vector<Folder> folders;
};

/// What `module show NAME` shows (JSN-018, OUT-024).
struct ModuleInfo {
    std::string name;
    std::shared_ptr<const Json> metadata;  ///< an object
    std::filesystem::path path;
    bool built_in = false;
    std::vector<planner::PlanSummary> plans;
    std::vector<tasks::TaskSummary> tasks;
};

struct Guide {
    std::string_view topic;
    std::string_view text;
    std::string_view documentation;  ///< where to read on; may be empty
};

/// One output format. It hears of an action as it happens and prints what other verbs found. Only outputters
/// write to standard output.
class Outputter : public planner::EventListener {
public:
    /// Before an action; from now on a fatal error is part of the same document (JSN-024).
    virtual void print_head() {}
    virtual void print_summary(const planner::ResultSet& results, std::chrono::nanoseconds elapsed) = 0;
    /// Results of something that has no events, all at once (JSN-004).
    virtual void print_result_set(const planner::ResultSet& results) = 0;
    virtual void print_tasks(const TaskListing& listing) = 0;
    virtual void print_task(const tasks::TaskDefinition& task) = 0;
    virtual void print_plans(const PlanListing& listing) = 0;
    virtual void print_plan(const planner::PlanInfo& plan) = 0;
    /// The plan that `plan new` has written; in JSON its name and path (JSN-012).
    virtual void print_new_plan(const std::string& name, const std::filesystem::path& path) = 0;
    /// A plan begins: actions are its steps from now on (OUT-014), and the document is its result (JSN-006).
    virtual void begin_plan() {}
    virtual void print_plan_outcome(const planner::PlanOutcome& outcome) = 0;
    /// Code is applied: its actions are steps as in a plan, and its results are the document (JSN-002).
    virtual void begin_apply() {}
    virtual void print_apply_results(const planner::ResultSet& results, std::chrono::nanoseconds elapsed) {
        print_summary(results, elapsed);
    }
    virtual void print_policies(const PolicyListing& listing) = 0;
    /// The policy that `policy new` has written; in JSON its name and path (JSN-012).
    virtual void print_new_policy(const std::string& name, const std::filesystem::path& path) = 0;
    virtual void print_inventory(const InventoryListing& listing) = 0;
    virtual void print_outline(const inventory::GroupOutline& outline) = 0;
    virtual void print_explanations(const ExplanationListing& listing) = 0;
    virtual void print_groups(const GroupListing& listing) = 0;
    virtual void print_plugins(const PluginListing& listing) = 0;
    virtual void print_modules(const ModuleListing& listing) = 0;
    virtual void print_module(const ModuleInfo& module) = 0;
    /// The end of installing modules (JSN-019).
    virtual void print_puppetfile_result(const std::filesystem::path& puppetfile,
                                         const std::filesystem::path& modules) = 0;
    /// What is done now, of something that takes several steps (OUT-030).
    virtual void print_action_step(std::string_view step) = 0;
    virtual void print_action_error(std::string_view error) { print_action_step(error); }
    virtual void print_guides(const std::vector<std::string>& topics) = 0;
    virtual void print_guide(const Guide& guide) = 0;
    virtual void print_message(std::string_view message) = 0;
    /// Something that is the same text for all people, and the same data for all programs.
    virtual void print_document(const std::string& text, const Json& data) {
        (void)data;
        print_message(text);
    }
    virtual void fatal_error(const ErrorInfo& error) = 0;
    /// True when this event is printed for people as a line that the log would have too.
    virtual bool shows(const planner::Event& event) const {
        (void)event;
        return false;
    }
    /// A live status line below the results makes sense in this format.
    virtual bool for_people() const noexcept { return false; }
    /// How people call a target: without the password that its URI may hold. Unknown names stay as they are.
    void set_display_names(std::function<std::string(std::string_view name)> display_name);

    /// --filter: which results are shown one by one or in groups. Totals are of all.
    void set_filter(std::function<bool(const planner::Result& result)> wanted);

protected:
    std::string display_name(std::string_view name) const;
    bool filters() const noexcept { return static_cast<bool>(wanted_); }
    bool wants(const planner::Result& result) const { return !wanted_ || wanted_(result); }
    /// Those of the results that are shown.
    planner::ResultSet wanted(const planner::ResultSet& results) const;

private:
    std::function<std::string(std::string_view)> display_name_;
    std::function<bool(const planner::Result&)> wanted_;
};

/// The formats of registry.def, sorted.
std::vector<std::string> output_formats();
/// Throws Error bolt/cli-error for an unknown format.
std::unique_ptr<Outputter> make_outputter(std::string_view format, Console& console, OutputSettings settings);

}  // namespace volley::cli
