#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/migration/migration.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

/// The folders of modules that old projects have unless they name others; all goes into the first.
std::vector<fs::path> usual_module_folders(const fs::path& project) {
    return {project / "modules", project / "site-modules", project / "site"};
}

std::vector<fs::path> configured_folders(const Json& modulepath, const fs::path& project) {
    std::vector<std::string> texts;
    if (modulepath.is_string()) texts = split(modulepath.get<std::string>(), ':');
    if (modulepath.is_array()) {
        for (const Json& entry : modulepath)
            texts.push_back(entry.is_string() ? entry.get<std::string>() : "");
    }
    std::vector<fs::path> folders;
    for (const std::string& text : texts) folders.push_back(expand_path(text, project));
    return folders;
}

}  // namespace

bool Migration::has_usual_modulepath() const {
    const Json data = migrated_data(project_file_, "project file");
    if (!data.contains("modulepath")) return true;
    const std::vector<fs::path> folders = configured_folders(data["modulepath"], project_);
    const std::vector<fs::path> usual = usual_module_folders(project_);
    return folders == usual || folders == std::vector<fs::path>{usual.front()};
}

bool Migration::modules() {
    if (fs::exists(stage_.paths().modules)) return true;
    message("Migrating project modules\n\n");
    if (!has_usual_modulepath()) {
        step(
            "Project has a non-default configured modulepath, unable to automatically migrate project "
            "modules. See "
            "'volley guide module' for how modules are installed, and move them by hand.");
        return true;
    }
    if (fs::exists(stage_.paths().puppetfile)) return modules_of_puppetfile();
    gather_module_folders();
    list_modules({});
    return true;
}

bool Migration::modules_of_puppetfile() {
    step("Parsing Puppetfile at " + stage_.paths().puppetfile.string());
    std::vector<modules::ModuleSpec> direct;
    modules::Puppetfile puppetfile;
    try {
        direct = direct_modules(modules::read_puppetfile(stage_.paths().puppetfile));
        message("");
        step("Resolving module dependencies, this might take a moment");
        puppetfile = modules::resolve_modules(direct, stage_.sources());
    } catch (const Error& error) {
        if (error.info().kind() == "bolt/cli-error") throw;  // nobody answers
        session_.out().print_action_error(std::string(error.what()) + "\nSkipping module migration.");
        return false;
    }
    back_up(stage_.paths().puppetfile);
    install_managed(puppetfile);
    gather_module_folders();
    take_away_managed(puppetfile);
    list_modules(direct);
    return true;
}

std::vector<modules::ModuleSpec> Migration::direct_modules(const modules::Puppetfile& puppetfile) {
    step(
        "Select modules that are direct dependencies of your project. Volley will automatically manage "
        "dependencies for each "
        "module selected, so do not select a module's dependencies unless you use content from it directly "
        "in your project.");
    const bool all = ask("Select all modules?");
    std::vector<modules::ModuleSpec> specs;
    for (const modules::PuppetfileModule& module : puppetfile.modules) {
        if (module.kind == modules::PuppetfileModule::Kind::Local) continue;
        if (all || ask(fmt::format("Select {}?", module.name.full()))) specs.push_back(module.to_spec());
    }
    return specs;
}

void Migration::install_managed(const modules::Puppetfile& puppetfile) {
    const modules::ModulePaths& paths = stage_.paths();
    if (puppetfile.modules.empty()) {
        step("Project does not include any managed modules, deleting Puppetfile at " +
             paths.puppetfile.string());
        fs::remove(paths.puppetfile);
        return;
    }
    step("Generated new Puppetfile content:\n\n" + puppetfile.to_text(false));
    step("Updating Puppetfile at " + paths.puppetfile.string());
    write_file_atomically(paths.puppetfile, puppetfile.to_text(true));
    step(fmt::format("Syncing modules from {} to {}", paths.puppetfile.string(), paths.modules.string()));
    modules::install_modules(puppetfile, paths.modules, stage_.sources());
}

void Migration::gather_module_folders() {
    const std::vector<fs::path> folders = usual_module_folders(project_);
    const fs::path& goal = folders.front();
    std::vector<fs::path> sources;
    std::vector<std::string> names;
    for (std::size_t i = 1; i < folders.size(); ++i) {
        if (!fs::is_directory(folders[i])) continue;
        sources.push_back(folders[i]);
        names.push_back(folders[i].string());
    }
    if (sources.empty()) return;
    step(fmt::format("Moving modules from {} to {}", join(names, ", "), goal.string()));
    fs::create_directories(goal);
    for (const fs::path& source : sources) {
        std::vector<fs::path> children;
        for (const auto& entry : fs::directory_iterator(source)) children.push_back(entry.path());
        for (const fs::path& child : children) {
            if (fs::is_directory(child) && !fs::exists(goal / child.filename()))
                fs::rename(child, goal / child.filename());
        }
        // What is left (files, modules that a folder before it has too) is kept among the backups.
        if (fs::is_empty(source))
            fs::remove(source);
        else
            fs::rename(source, backup_place(source));
    }
}

/// Modules that are managed now would hide their managed selves.
void Migration::take_away_managed(const modules::Puppetfile& puppetfile) {
    const fs::path folder = usual_module_folders(project_).front();
    step("Cleaning up " + folder.string());
    for (const modules::PuppetfileModule& module : puppetfile.modules) {
        const fs::path path = folder / module.name.name;
        if (fs::is_directory(path)) fs::rename(path, backup_place(path));
    }
}

void Migration::list_modules(const std::vector<modules::ModuleSpec>& specs) {
    Json data = migrated_data(project_file_, "project file");
    // A project may have its list already; difference from Bolt, which empties it.
    Json list = specs.empty() && data.contains("modules") ? data["modules"] : Json::array();
    for (const modules::ModuleSpec& spec : specs) {
        if (spec.origin == modules::Origin::Git) {
            list.push_back(Json{{"git", spec.git}, {"ref", spec.ref}});
            continue;
        }
        list.push_back(Json{{"name", spec.name.full()}});
        if (spec.version_requirement) list.back()["version_requirement"] = *spec.version_requirement;
    }
    if (data.contains("modules") && data["modules"] == list && !data.contains("modulepath")) return;
    step("Updating project configuration at " + project_file_.string());
    data["modules"] = std::move(list);
    data.erase("modulepath");
    if (fs::exists(project_file_)) back_up(project_file_);
    write_migrated(project_file_, data);
}

}  // namespace volley::cli
