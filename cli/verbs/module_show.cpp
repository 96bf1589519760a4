#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/run/session.hpp"
#include "cli/terminal/plan_reader.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/module_install/module_name.hpp"
#include "planner/plan/plan_error.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto module_show_options =
    join_options(context_options, std::to_array<std::string_view>({"format", "color"}));

/// What metadata.json holds; an empty object when there is none or it cannot be read.
Json shown_metadata(const fs::path& module) {
    std::error_code ignored;
    const fs::path file = module / "metadata.json";
    if (!fs::is_regular_file(file, ignored)) return Json::object();
    Json metadata = try_parse_json(read_file(file, "module metadata"));
    return metadata.is_object() ? metadata : Json::object();
}

std::string shown_module_name(const Json& metadata, const std::string& folder) {
    const auto name = metadata.find("name");
    if (name == metadata.end() || !name->is_string()) return folder;
    std::string text = name->get<std::string>();
    std::replace(text.begin(), text.end(), '-', '/');
    return text;
}

ModuleListing::Folder modules_in(const fs::path& folder, std::string group) {
    ModuleListing::Folder listed{folder, std::move(group), {}};
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const auto name = modules::ModuleName::parse_with_optional_owner(at->path().filename().string());
        if (name && name->owner.empty() && at->is_directory(error)) names.push_back(name->name);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
        const Json metadata = shown_metadata(folder / name);
        ListedModule module{shown_module_name(metadata, name), std::nullopt};
        const auto version = metadata.find("version");
        if (version != metadata.end() && version->is_string()) module.version = version->get<std::string>();
        listed.modules.push_back(std::move(module));
    }
    return listed;
}

ModuleListing all_modules(Session& session) {
    ModuleListing listing;
    for (const fs::path& folder : session.library().modulepath()) {
        std::error_code ignored;
        if (!fs::is_directory(folder, ignored)) continue;
        std::string group;
        if (folder == session.config().project.managed_modules()) group = "Project Dependencies";
        if (folder == tasks::bundled_modules_folder()) group = "Packaged Modules";
        listing.folders.push_back(modules_in(folder, std::move(group)));
    }
    return listing;
}

/// Those of a listing that belong to a module: "name" and "name::...".
template <class Summary>
std::vector<Summary> of_module(std::vector<Summary> all, const std::string& module) {
    std::erase_if(all, [&module](const Summary& one) {
        return one.name != module && !one.name.starts_with(module + "::");
    });
    return all;
}

/// The module of that name, with or without its owner (MGT-011).
ModuleInfo one_module(Session& session, const std::string& given) {
    std::string wanted = given;
    std::replace(wanted.begin(), wanted.end(), '-', '/');
    const std::string name = wanted.substr(wanted.find('/') + 1);  // all of it when there is no owner
    const tasks::Module* module = session.library().find_module(name);
    ModuleInfo info;
    if (module) {
        Json metadata = shown_metadata(module->path);
        info.name = shown_module_name(metadata, module->name);
        info.metadata = std::make_shared<const Json>(std::move(metadata));
    }
    if (!module || (info.name != wanted && module->name != wanted))
        throw Error("bolt/unknown-module", "Could not find module '" + wanted + "' on the modulepath." +
                                               did_you_mean(name, session.library().module_names()));
    info.path = module->path;
    info.built_in = module->built_in;
    info.tasks = of_module(session.library().list_tasks(""), name);
    PlanReader reader(session);
    try {
        info.plans = of_module(reader.plans.list(""), name);
    } catch (const LanguageError& error) {
        throw Error(planner::final_error(error));
    }
    return info;
}

int run_module_show(Session& session, const CommandLine& line) {
    if (line.object)
        session.out().print_module(one_module(session, *line.object));
    else
        session.out().print_modules(all_modules(session));
    return 0;
}

}  // namespace

const Verb& module_show_verb() {
    static constexpr Verb verb{
        .noun = "module",
        .action = "show",
        .summary = "Show modules, or one module and what it brings",
        .usage = "module show [module] [options]",
        .description =
            "Without a name, lists the modules that the project can use, folder by folder, with their "
            "versions. With a name, "
            "shows the tasks and plans of that module, the systems it supports and what it needs.",
        .guide = "module",
        .examples = "volley module show\nvolley module show facts",
        .options = module_show_options,
        .needs_targets = false,
        .run = run_module_show,
    };
    return verb;
}

}  // namespace volley::cli
