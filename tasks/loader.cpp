#include "tasks/loader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "support/files.hpp"
#include "support/text.hpp"
#include "tasks/errors.hpp"
#include "tasks/extra_files.hpp"
#include "tasks/metadata.hpp"

namespace volley::tasks {
namespace {

namespace fs = std::filesystem;

std::string full_name(const Module& module, const std::string& stem) {
    return stem == "init" ? module.name : module.name + "::" + stem;
}

Json read_metadata(const fs::path& file) {
    std::string text;
    try {
        text = read_file(file, "task metadata");
    } catch (const Error& error) {
        throw load_error("puppet.tasks/unreadable-metadata", "Error reading metadata: " + error.info().msg(),
                         file);
    }
    return parse_metadata(text, file);
}

/// TSK-006: every implementation must exist in the tasks folder.
void locate_implementations(TaskDefinition& task, const TaskFiles& files, const fs::path& metadata) {
    for (Implementation& implementation : task.implementations) {
        const auto found = std::ranges::find_if(files, [&](const TaskFile& file) {
            return !file.is_metadata && file.name == implementation.name;
        });
        if (found == files.end()) {
            throw load_error("puppet.tasks/missing-implementation",
                             "Task metadata for task " + task.name + " specifies missing implementation " +
                                 implementation.name,
                             metadata);
        }
        implementation.path = found->path;
    }
}

/// TSK-005: the one file that is called like the task.
Implementation only_implementation(const TaskDefinition& task, const std::string& stem,
                                   const fs::path& folder, const TaskFiles& files) {
    std::vector<fs::path> own;
    for (const TaskFile& file : files) {
        if (!file.is_metadata && file.stem == stem) own.push_back(file.path);
    }
    if (own.empty()) {
        throw load_error("puppet.tasks/no-implementation",
                         "No source besides task metadata was found in directory " + folder.string() +
                             " for task " + task.name,
                         folder / (stem + ".json"));
    }
    if (own.size() > 1) {
        throw load_error("puppet.tasks/multiple-implementations",
                         "Multiple executables were found in directory " + folder.string() + " for task " +
                             task.name +
                             "; define 'implementations' in metadata to differentiate between them",
                         own.front());
    }
    Implementation only;
    only.name = own.front().filename().string();
    only.path = own.front();
    return only;
}

void locate_extra_files(TaskDefinition& task, const Library& library, const fs::path& metadata) {
    const auto locate = [&](const std::vector<std::string>& entries) {
        for (const std::string& entry : entries) {
            if (task.extra_files.count(entry) == 0) {
                task.extra_files.emplace(entry, find_extra_files(entry, library, metadata));
            }
        }
    };
    locate(task.files);
    for (const Implementation& implementation : task.implementations) locate(implementation.files);
}

}  // namespace

TaskFiles task_files(const Module& module) {
    TaskFiles files;
    std::error_code error;
    for (auto entry = fs::directory_iterator(module.path / "tasks", error);
         !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const fs::path& path = entry->path();
        const fs::path extension = path.extension();
        std::error_code ignored;
        std::string stem = path.stem().string();
        if (is_plain_name(stem) && extension != ".md" && extension != ".conf" &&
            entry->is_regular_file(ignored))
            files.push_back({path, path.filename().string(), std::move(stem), extension == ".json"});
    }
    std::ranges::sort(files, {}, &TaskFile::name);
    return files;
}

std::vector<std::string> task_stems(const TaskFiles& files) {
    std::set<std::string> stems;
    for (const TaskFile& file : files) stems.insert(file.stem);
    return {stems.begin(), stems.end()};
}

std::shared_ptr<const TaskDefinition> load_task(const Module& module, const std::string& stem,
                                                const TaskFiles& files, const Library& library) {
    const fs::path folder = module.path / "tasks";
    const fs::path metadata_file = folder / (stem + ".json");
    bool defined = false;
    bool has_metadata = false;
    for (const TaskFile& file : files) {
        if (file.stem != stem) continue;
        defined = true;
        has_metadata = has_metadata || file.is_metadata;
    }
    if (!defined) return nullptr;

    auto task = std::make_shared<TaskDefinition>();
    task->name = full_name(module, stem);
    task->module_name = module.name;
    task->module_directory = module.path;
    task->built_in = module.built_in;
    apply_metadata(*task, has_metadata ? read_metadata(metadata_file) : parse_metadata("", metadata_file),
                   metadata_file);
    // An empty list of implementations is a list: no target is then suitable.
    if (metadata_names_implementations(*task)) {
        locate_implementations(*task, files, metadata_file);
    } else {
        task->implementations.push_back(only_implementation(*task, stem, folder, files));
    }
    locate_extra_files(*task, library, metadata_file);
    return task;
}

}  // namespace volley::tasks
