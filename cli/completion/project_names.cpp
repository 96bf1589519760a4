#include "cli/completion/project_names.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "cli/records/recorded_runs.hpp"
#include "cli/terminal/plan_reader.hpp"
#include "inventory/targets/uri.hpp"
#include "journal/journal.hpp"
#include "planner/apply/policies.hpp"
#include "planner/record/run_recorder.hpp"
#include "support/yaml/document.hpp"
#include "tasks/library.hpp"

namespace volley::cli {
namespace {

constexpr int deepest_group = 100;
constexpr std::size_t most_runs_offered = 100;

/// Whoever completes a word wants no message: what cannot be read has no names.
template <class Read>
auto or_nothing(Read read) -> decltype(read()) {
    try {
        return read();
    } catch (const std::exception&) {
        return {};
    }
}

class InventoryNames {
public:
    explicit InventoryNames(yaml::Node root) {
        add_group(root, 0);
        if (!found_.empty()) found_.insert(found_.begin(), Candidate{"all", "group"});
    }
    Candidates take() { return std::move(found_); }

private:
    void add(yaml::Node name, const char* what) {
        if (!name.is_string()) return;
        // A password in an address is nobody's business.
        std::string text = inventory::without_password(std::string(name.text()));
        if (text != name.text() || !seen_.insert(text).second) return;
        found_.push_back({std::move(text), what});
    }
    void add_target(yaml::Node target) {
        if (target.is_string()) return add(target, "");
        const yaml::Node name = target.find("name");
        add(name ? name : target.find("uri"), "");
        const yaml::Node alias = target.find("alias");
        if (alias.is_sequence()) {
            for (const yaml::Node each : alias.elements()) add(each, "alias");
        } else {
            add(alias, "alias");
        }
    }
    void add_group(yaml::Node group, int depth) {
        if (depth > deepest_group) return;
        if (depth > 0) add(group.find("name"), "group");
        for (const yaml::Node child : group.find("groups").elements()) add_group(child, depth + 1);
        for (const yaml::Node target : group.find("targets").elements()) add_target(target);
    }

    Candidates found_;
    std::set<std::string, std::less<>> seen_;
};

template <class Summaries>
Candidates candidates_of(const Summaries& summaries) {
    Candidates all;
    for (const auto& each : summaries) all.push_back({each.name, each.description.value_or("")});
    return all;
}

Candidates named(const std::vector<std::string>& names) {
    Candidates all;
    for (const std::string& name : names) all.push_back({name, {}});
    return all;
}

}  // namespace

ProjectNames::ProjectNames(const inventory::ProcessContext& process, inventory::Overrides overrides)
    : process_(process) {
    try {
        config_ = inventory::load_config(process, overrides);
    } catch (const std::exception&) {
        config_.reset();
    }
}

Candidates ProjectNames::targets() const {
    return or_nothing([&]() -> Candidates {
        std::unique_ptr<const yaml::Document> document;
        if (const auto text = process_.environment("BOLT_INVENTORY"))
            document = yaml::Document::parse(*text, {"BOLT_INVENTORY", "inventory"});
        else if (config_)
            document = yaml::Document::read(config_->inventory_file, "inventory file");
        if (!document) return {};
        return InventoryNames(document->root()).take();
    });
}

Candidates ProjectNames::tasks(std::string_view part) const {
    if (!config_) return {};
    return or_nothing(
        [&] { return candidates_of(tasks::Library(*config_, tasks::bundled_modules()).list_tasks(part)); });
}

Candidates ProjectNames::plans(std::string_view part) const {
    if (!config_) return {};
    return or_nothing([&] {
        const tasks::Library library(*config_, tasks::bundled_modules());
        return candidates_of(PlanReader(library, *config_).plans.list(part));
    });
}

Candidates ProjectNames::modules() const {
    if (!config_) return {};
    return or_nothing(
        [&] { return named(tasks::Library(*config_, tasks::bundled_modules()).module_names()); });
}

Candidates ProjectNames::policies() const {
    if (!config_) return {};
    return or_nothing([&] { return named(planner::project_policies(*config_)); });
}

Candidates ProjectNames::runs(std::string_view part, bool plans_only) const {
    if (!config_) return {};
    Candidates all;
    for (const journal::RunFile& file :
         journal::runs_in(planner::journal_folder(config_->project.path, process_.home))) {
        if (all.size() == most_runs_offered) break;
        if (!file.id.starts_with(part)) continue;
        const auto run = or_nothing([&] { return std::optional(journal::read_run_ends(file)); });
        const Json* head = run ? run->find("run") : nullptr;
        if (head == nullptr || (plans_only && !head->contains("plan"))) continue;
        all.push_back({file.id, run_state(*run) + ", " + run_time(*head) + ": " + run_title(*head)});
    }
    return all;
}

std::vector<NamedParameter> parameters_of_task(const tasks::Library& library, const std::string& task) {
    std::vector<NamedParameter> all;
    const auto found = library.find_task(task);
    if (!found->parameters) return all;
    for (const tasks::Parameter& each : *found->parameters)
        all.push_back({each.name, each.type.value_or(""), each.description.value_or("")});
    return all;
}

std::vector<NamedParameter> parameters_of_plan(planner::PlanLibrary& plans, const std::string& plan) {
    std::vector<NamedParameter> all;
    for (const planner::PlanParameter& each : plans.describe(plan).parameters)
        all.push_back({each.name, each.type, each.description.value_or("")});
    return all;
}

std::vector<NamedParameter> ProjectNames::task_parameters(const std::string& task) const {
    if (!config_) return {};
    return or_nothing(
        [&] { return parameters_of_task(tasks::Library(*config_, tasks::bundled_modules()), task); });
}

std::vector<NamedParameter> ProjectNames::plan_parameters(const std::string& plan) const {
    if (!config_) return {};
    return or_nothing([&] {
        const tasks::Library library(*config_, tasks::bundled_modules());
        PlanReader reader(library, *config_);
        return parameters_of_plan(reader.plans, plan);
    });
}

}  // namespace volley::cli
