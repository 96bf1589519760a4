#include "tasks/library.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "inventory/project/project_trust.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/paths/file_checks.hpp"
#include "support/text.hpp"
#include "support/wildcard.hpp"
#include "tasks/loader.hpp"
#include "tasks/metadata.hpp"

namespace volley::tasks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view library_logger = "tasks.library";

/// MOD-009: on a case-insensitive colleague's machine "Modules" worked; say so instead of finding nothing.
void warn_other_case(const fs::path& path) {
    if (is_folder(path)) return;
    std::error_code error;
    for (auto entry = fs::directory_iterator(path.parent_path(), error);
         !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const fs::path& found = entry->path();
        if (lower(found.filename().string()) != lower(path.filename().string())) continue;
        log_warning("path_case", library_logger,
                    "The modulepath entry " + path.string() + " does not exist, but " + found.string() +
                        " does. Write it with the same case.");
        return;
    }
}

/// PRJ-010: a module that nobody can reach any more would puzzle people.
void warn_of_shadowed(const std::string& project, const std::vector<fs::path>& modulepath) {
    for (const fs::path& entry : modulepath) {
        if (!is_folder(entry / project)) continue;
        log_warning_once("project_shadows_module", library_logger,
                         "The project '" + project + "' shadows an existing module of the same name (" +
                             (entry / project).string() + ")");
        return;
    }
}

void collect_modules(const fs::path& folder, std::set<std::string>& names) {
    std::error_code error;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        std::string name = entry->path().filename().string();
        if (is_plain_name(name) && is_folder(entry->path())) names.insert(std::move(name));
    }
}

}  // namespace

struct Library::State {
    std::optional<Module> project;
    inventory::Project home;
    std::optional<LastModules> bundled;
    std::vector<fs::path> modulepath;
    std::size_t user_entries = 0;  // entries of modulepath before the bundled ones
    bool complete = false;         // the bundled ones are there
    std::optional<std::vector<std::string>> task_filter;
    std::map<std::string, std::optional<Module>, std::less<>> modules;
    std::map<std::string, std::shared_ptr<const TaskDefinition>, std::less<>> tasks;

    std::optional<Module> look_for_module(const std::string& name) {
        if (project && project->name == name) return project;
        if (!is_plain_name(name)) return std::nullopt;
        for (std::size_t i = 0; i < user_entries; ++i) {
            const fs::path path = modulepath[i] / name;
            if (!is_folder(path)) continue;
            inventory::check_content_trust(home, path);
            return Module{name, path, false};
        }
        if (!bundled->has(name)) return std::nullopt;
        for (const fs::path& folder : bundled->folders()) {
            if (is_folder(folder / name)) return Module{name, folder / name, true};
        }
        return std::nullopt;
    }

    const std::vector<fs::path>& whole_modulepath() {
        if (complete) return modulepath;
        for (const fs::path& folder : bundled->folders()) modulepath.push_back(folder);
        complete = true;
        return modulepath;
    }

    bool listed(const std::string& name) const {
        if (!task_filter) return true;
        return std::any_of(task_filter->begin(), task_filter->end(),
                           [&](const std::string& pattern) { return wildcard_match_any(pattern, name, {}); });
    }
};

LastModules LastModules::in(const std::vector<fs::path>& folders) {
    const auto has = [folders](std::string_view name) {
        return std::ranges::any_of(folders,
                                   [name](const fs::path& folder) { return is_folder(folder / name); });
    };
    return {has, [folders] { return folders; }};
}

Library::Library(const inventory::Config& config, LastModules bundled) : state_(std::make_unique<State>()) {
    if (config.project.name) state_->project = Module{*config.project.name, config.project.path, false};
    for (const fs::path& entry : config.modulepath) warn_other_case(entry);
    state_->modulepath = config.modulepath;
    state_->user_entries = config.modulepath.size();
    state_->home = config.project;
    state_->bundled = std::move(bundled);
    state_->task_filter = config.task_filter;
    if (!config.project.name) return;
    const bool also_bundled = state_->bundled->has(*config.project.name);
    warn_of_shadowed(*config.project.name, also_bundled ? state_->whole_modulepath() : state_->modulepath);
}

Library::~Library() = default;

const std::vector<fs::path>& Library::modulepath() const { return state_->whole_modulepath(); }

const Module* Library::find_module(std::string_view name) const {
    auto found = state_->modules.find(name);
    if (found == state_->modules.end()) {
        const std::string text(name);
        found = state_->modules.emplace(text, state_->look_for_module(text)).first;
    }
    return found->second ? &*found->second : nullptr;
}

std::vector<std::string> Library::module_names() const {
    std::set<std::string> names;
    if (state_->project) names.insert(state_->project->name);
    for (const fs::path& folder : state_->whole_modulepath()) collect_modules(folder, names);
    return {names.begin(), names.end()};
}

std::shared_ptr<const TaskDefinition> Library::find_task(std::string_view name) const {
    if (const auto found = state_->tasks.find(name); found != state_->tasks.end()) return found->second;
    const std::size_t colons = name.find("::");
    const std::string stem(colons == std::string_view::npos ? "init" : name.substr(colons + 2));
    const Module* module = is_plain_name(stem) ? find_module(name.substr(0, colons)) : nullptr;
    auto task = module == nullptr ? nullptr : load_task(*module, stem, task_files(*module), *this);
    if (task && task->name != name) {
        // Compatibility: the init task is listed under the name of its module (TSK-008), but "module::init"
        // finds it too, and is then what it is called.
        auto renamed = std::make_shared<TaskDefinition>(*task);
        renamed->name = name;
        task = std::move(renamed);
    }
    if (!task) {
        std::string hint;
        try {
            hint = did_you_mean(name, task_names());
        } catch (const Error&) {  // a module that must not be read has nothing to suggest
        }
        throw Error("bolt/unknown-task", "Could not find a task named '" + std::string(name) + "'." + hint +
                                             " For a list of available tasks, run 'volley task show'.");
    }
    state_->tasks.emplace(name, task);
    return task;
}

std::vector<std::string> Library::task_names() const {
    std::set<std::string> names;
    for (const std::string& module_name : module_names()) {
        for (const std::string& stem : task_stems(task_files(*find_module(module_name))))
            names.insert(stem == "init" ? module_name : module_name + "::" + stem);
    }
    return {names.begin(), names.end()};
}

std::vector<TaskSummary> Library::list_tasks(std::string_view filter) const {
    std::vector<TaskSummary> summaries;
    for (const std::string& module_name : module_names()) {
        const Module& module = *find_module(module_name);
        const TaskFiles files = task_files(module);  // once for all of its tasks
        for (const std::string& stem : task_stems(files)) {
            const std::string name = stem == "init" ? module_name : module_name + "::" + stem;
            if (name.find(filter) == std::string::npos || !state_->listed(name)) continue;
            try {
                auto& task = state_->tasks[name];
                if (!task) task = load_task(module, stem, files, *this);
                if (!task->is_private) summaries.push_back(TaskSummary{name, task->description});
            } catch (const Error& error) {
                // Difference from Bolt, which lists nothing at all then: one broken task must not hide the
                // others.
                state_->tasks.erase(name);
                log_warning("task_load_error", library_logger, error.info().msg());
            }
        }
    }
    std::ranges::sort(summaries, {}, &TaskSummary::name);
    return summaries;
}

std::optional<fs::path> Library::find_file(std::string_view module_path) const {
    const std::size_t slash = module_path.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const Module* module = find_module(module_path.substr(0, slash));
    if (module == nullptr) return std::nullopt;
    const std::string_view rest = module_path.substr(slash + 1);
    for (const fs::path& base : {module->path / "files", module->path}) {
        const fs::path path = join_inside(base, rest);
        std::error_code error;
        if (fs::exists(path, error)) return path;
    }
    return std::nullopt;
}

std::optional<fs::path> Library::definition_file(std::string_view name, std::string_view folder) const {
    const std::vector<std::string> segments = split(name, "::");
    if (segments.size() < 2 || !std::ranges::all_of(segments, is_plain_name)) return std::nullopt;
    const Module* module = find_module(segments.front());
    if (module == nullptr) return std::nullopt;
    fs::path file = module->path / folder;
    for (std::size_t i = 1; i < segments.size(); ++i) file /= segments[i];
    file += ".pp";
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return std::nullopt;
    return file;
}

}  // namespace volley::tasks
