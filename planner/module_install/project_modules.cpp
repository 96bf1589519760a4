#include "planner/module_install/project_modules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/paths/file_checks.hpp"

namespace volley::modules {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view resolving_step = "Resolving module dependencies, this might take a moment";

void write_puppetfile(const ModulePaths& paths, const Puppetfile& puppetfile, Progress& progress) {
    progress.step("Writing Puppetfile at " + paths.puppetfile.string());
    write_file_atomically(paths.puppetfile, puppetfile.to_text(true));
}

void sync(const ModulePaths& paths, ModuleSources& sources, Progress& progress) {
    progress.step(
        fmt::format("Syncing modules from {} to {}", paths.puppetfile.string(), paths.modules.string()));
    if (!path_exists(paths.puppetfile))
        throw Error("bolt/file-error", "Could not find a Puppetfile at " + paths.puppetfile.string());
    const InstallReport report = install_modules(read_puppetfile(paths.puppetfile), paths.modules, sources);
    log(LogLevel::Info, "planner.modules",
        fmt::format("{} modules installed, {} kept, {} removed", report.installed, report.kept,
                    report.removed));
}

/// The versions at hand first, so that nothing else changes; when that cannot be, anything may.
Puppetfile resolve_with(const ModuleSpec& added, const std::vector<ModuleSpec>& project,
                        const std::optional<Puppetfile>& pinned, ModuleSources& sources) {
    std::vector<ModuleSpec> anew = project;
    anew.push_back(added);
    if (!pinned) return resolve_modules(anew, sources);
    std::vector<ModuleSpec> first;
    for (const PuppetfileModule& module : pinned->modules) {
        if (module.name.name != added.name.name) first.push_back(module.to_spec());
    }
    for (ModuleSpec& spec : first) {
        const auto same = std::find_if(project.begin(), project.end(), [&spec](const ModuleSpec& own) {
            return own.name.name == spec.name.name;
        });
        if (same != project.end()) spec.resolve = same->resolve;
    }
    first.push_back(added);
    try {
        return resolve_modules(first, sources);
    } catch (const Error& error) {
        log(LogLevel::Info, "planner.modules", std::string("With the installed versions: ") + error.what());
        return resolve_modules(anew, sources);
    }
}

std::string versions_line(const PuppetfileModule& before, const PuppetfileModule& after) {
    return fmt::format("{} {} to {}\n", after.name.full(), version_text(*before.version),
                       version_text(*after.version));
}

bool is_pinned(const PuppetfileModule& module) {
    return module.kind == PuppetfileModule::Kind::Forge && module.version;
}

const PuppetfileModule* same_pinned(const Puppetfile& puppetfile, const PuppetfileModule& module) {
    const PuppetfileModule* found = puppetfile.find(module.name.name);
    return found && is_pinned(*found) && found->name.same_owner(module.name) ? found : nullptr;
}

}  // namespace

std::vector<std::string> puppetfile_changes(const Puppetfile& before, const Puppetfile& after) {
    std::string added;
    std::string upgraded;
    std::string downgraded;
    std::string removed;
    for (const PuppetfileModule& module : after.modules) {
        if (!is_pinned(module)) continue;
        const PuppetfileModule* old = same_pinned(before, module);
        if (!old) {
            added += fmt::format("{} {}\n", module.name.full(), version_text(*module.version));
        } else if (const int order = compare_versions(*module.version, *old->version); order != 0) {
            (order > 0 ? upgraded : downgraded) += versions_line(*old, module);
        }
    }
    for (const PuppetfileModule& module : before.modules) {
        if (is_pinned(module) && !same_pinned(after, module))
            removed += fmt::format("{} {}\n", module.name.full(), version_text(*module.version));
    }
    std::vector<std::string> changes;
    for (const auto& [what, lines] :
         {std::pair("Adding", &added), std::pair("Upgrading", &upgraded),
          std::pair("Downgrading", &downgraded), std::pair("Removing", &removed)}) {
        if (!lines->empty()) changes.push_back(fmt::format("{} the following modules:\n{}", what, *lines));
    }
    return changes;
}

void install_project_modules(const ModulePaths& paths, const std::vector<ModuleSpec>& specs,
                             InstallOptions options, ModuleSources& sources, Progress& progress) {
    progress.message("Installing project modules\n\n");
    if (options.resolve) {
        if (options.force || !path_exists(paths.puppetfile)) {
            progress.step(resolving_step);
            const Puppetfile puppetfile = resolve_modules(specs, sources);
            write_puppetfile(paths, puppetfile, progress);
        } else {
            check_puppetfile_satisfies(read_puppetfile(paths.puppetfile), specs);
        }
    }
    sync(paths, sources, progress);
}

bool add_project_module(const ModulePaths& paths, const std::string& name, ModuleSources& sources,
                        Progress& progress) {
    const ModuleSpec added = forge_spec(name);
    const std::vector<ModuleSpec> specs = read_project_specs(paths.project_file);
    // A git spec without a name is only known by its metadata; should that be the same module, resolving says
    // so.
    const bool known = std::any_of(specs.begin(), specs.end(), [&added](const ModuleSpec& spec) {
        return spec.name.name == added.name.name;
    });
    if (known) {
        progress.message(fmt::format(
            "Project configuration file {} already includes specification with name {}. Nothing to do.",
            paths.project_file.string(), name));
        return false;
    }
    const std::string project_text =
        with_module(read_file(paths.project_file, "project file"), added.name.full(), paths.project_file);
    progress.message(fmt::format("Adding module {} to project\n\n", name));
    std::optional<Puppetfile> before;
    if (path_exists(paths.puppetfile)) {
        before = read_puppetfile(paths.puppetfile);
        check_puppetfile_satisfies(*before, specs);
    }
    progress.step(resolving_step);
    const Puppetfile after = resolve_with(added, specs, before, sources);
    for (const std::string& change : puppetfile_changes(before.value_or(Puppetfile()), after))
        progress.step(change);
    progress.step("Updating project configuration file at " + paths.project_file.string());
    write_file_atomically(paths.project_file, project_text);
    write_puppetfile(paths, after, progress);
    sync(paths, sources, progress);
    return true;
}

}  // namespace volley::modules
