#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inventory/config/config.hpp"
#include "tasks/task.hpp"

namespace volley::tasks {

/// A folder of the modulepath that is a module.
struct Module {
    std::string name;
    std::filesystem::path path;
    bool built_in = false;
};

struct TaskSummary {
    std::string name;
    std::optional<std::string> description;
};

/// Modules that come last in a modulepath. Their folders may have to be made first, so they are asked for
/// late.
struct LastModules {
    using Has = std::function<bool(std::string_view name)>;
    using Folders = std::function<std::vector<std::filesystem::path>()>;
    LastModules(Has has_module, Folders module_folders)
        : has(std::move(has_module)), folders(std::move(module_folders)) {}
    static LastModules in(const std::vector<std::filesystem::path>& folders);

    Has has;
    Folders folders;
};

/// The modules of a project and the tasks in them (MOD-001 to MOD-013, TSK-001 to TSK-008).
/// Reads folders when asked and remembers what it found. Used from one thread.
class Library {
public:
    /// The named project first, then `config.modulepath`, then the bundled modules.
    Library(const inventory::Config& config, LastModules bundled);
    Library(const inventory::Config& config, const std::vector<std::filesystem::path>& bundled)
        : Library(config, LastModules::in(bundled)) {}
    ~Library();

    /// With the folder of the bundled modules.
    const std::vector<std::filesystem::path>& modulepath() const;
    const Module* find_module(std::string_view name) const;
    /// Names of all modules, the project's among them; sorted.
    std::vector<std::string> module_names() const;
    /// Throws Error bolt/unknown-task, bolt/pal-error (with the inner puppet.tasks/* message).
    std::shared_ptr<const TaskDefinition> find_task(std::string_view name) const;
    /// All names that tasks have, private ones too, sorted; not filtered.
    std::vector<std::string> task_names() const;
    /// Public tasks, sorted; filtered by the project's `tasks` key and by `filter` as a part of the name.
    std::vector<TaskSummary> list_tasks(std::string_view filter) const;
    /// ARG-012 / PLN-015: "module/path" looked up in files/, then under the module; nullopt when there is
    /// none.
    std::optional<std::filesystem::path> find_file(std::string_view module_path) const;
    /// The file of a definition: "mod::a::b" in `folder` "functions" is functions/a/b.pp of module mod.
    /// nullopt for what is no such name, and when there is no such file.
    std::optional<std::filesystem::path> definition_file(std::string_view name,
                                                         std::string_view folder) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The modules that are part of the program.
LastModules bundled_modules();
/// The folder that they are in. They are read from files, so the first call writes them, 120 kB, into the
/// user's cache
/// (~/.cache/volley, under a digest), where the next run finds them; where that cannot be, into a temporary
/// folder that goes away when the program ends. Any thread. Throws Error bolt/file-error.
std::filesystem::path bundled_modules_folder();

/// One of the programs of a task that is made without metadata.
struct BuiltInProgram {
    std::filesystem::path path;
    std::string requirement;         ///< the feature that its targets have: "shell", "powershell"
    std::vector<std::string> files;  ///< of the module's folder `files`, which go along
};

/// A task of the program itself, of the bundled module `module_name`; it serves remote targets too. The first
/// program that suits a target is its program.
std::shared_ptr<TaskDefinition> make_built_in_task(std::string_view module_name, std::string_view name,
                                                   const std::vector<BuiltInProgram>& programs);

}  // namespace volley::tasks
