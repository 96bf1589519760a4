#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run/module_stage.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "support/yaml/writer.hpp"

namespace volley::cli {
namespace {

constexpr auto project_init_options = std::to_array<std::string_view>({"modules", "project"});

constexpr std::string_view inventory_template = R"(# The machines that Volley can reach, for example:
#
# groups:
#   - name: webservers
#     targets:
#       - web1.example.com
#       - name: web2
#         uri: 192.0.2.12
#     config:
#       transport: ssh
#       ssh:
#         user: deploy
#         private-key: ~/.ssh/id_ed25519
#
# See `volley guide inventory`; `volley inventory show` lists what this file holds.
)";

constexpr std::string_view ignored_files = R"(.modules/
.resource_types/
keys/private_key.pkcs7.pem
bolt-debug.log
.plan_cache.json
.plugin_cache.json
.task_cache.json
.rerun.json
)";

bool is_project_name(std::string_view name) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
           std::all_of(name.begin(), name.end(), allowed);
}

void check_folder_is_free(const std::filesystem::path& folder, bool with_modules) {
    for (const char* file : {"bolt-project.yaml", "bolt.yaml"}) {
        if (!std::filesystem::exists(folder / file)) continue;
        throw Error("bolt/existing-project-error", "Found existing project directory with " +
                                                       std::string(file) + " at " + folder.string() +
                                                       ", unable to initialize project.");
    }
    if (with_modules && std::filesystem::exists(folder / "Puppetfile")) {
        throw Error("bolt/existing-puppetfile-error", "Found existing Puppetfile at " +
                                                          (folder / "Puppetfile").string() +
                                                          ", unable to initialize project with modules.");
    }
}

std::string project_name(const CommandLine& line, const std::filesystem::path& folder) {
    std::string name = line.object.value_or(folder.filename().string());
    if (is_project_name(name)) return name;
    if (line.object) {
        throw Error("bolt/validation-error",
                    "The provided project name '" + name +
                        "' is invalid; project name must begin with a lowercase letter and "
                        "can include lowercase letters, numbers, and underscores.");
    }
    throw Error("bolt/validation-error",
                "The current directory name '" + name +
                    "' is an invalid project name. Please specify a name using 'volley "
                    "project init <name>'.");
}

void write_if_absent(const std::filesystem::path& file, std::string_view content) {
    if (!std::filesystem::exists(file)) write_file_atomically(file, content);
}

/// OPT-043. Before anything else is written: without its modules there shall be no project. Returns what
/// bolt-project.yaml says of them.
Json install_first_modules(Session& session, const std::filesystem::path& folder, const std::string& names) {
    std::vector<modules::ModuleSpec> specs;
    Json listed = Json::array();
    for (const std::string& name : split(names, ',')) {
        specs.push_back(modules::forge_spec(trim(name)));
        listed.push_back(Json{{"name", specs.back().name.full()}});
    }
    modules::check_unique_names(specs);
    ModuleStage stage(session, folder);
    modules::install_project_modules(stage.paths(), specs, {}, stage.sources(), stage);
    stage.finish({folder / "modules", folder / ".modules"});
    return listed;
}

int run_project_init(Session& session, const CommandLine& line) {
    const std::filesystem::path folder = session.process().working_directory;
    const bool with_modules = line.options.action.modules.has_value();
    check_folder_is_free(folder, with_modules);
    const std::string name = project_name(line, folder);
    Json listed = Json::array();
    if (with_modules) listed = install_first_modules(session, folder, *line.options.action.modules);
    write_file_atomically(folder / "bolt-project.yaml",
                          "---\n" + to_yaml(Json{{"name", name}, {"modules", listed}}));
    write_if_absent(folder / "inventory.yaml", inventory_template);
    write_if_absent(folder / ".gitignore", ignored_files);
    session.out().print_message("Successfully created Bolt project at " + folder.string());
    return 0;
}

}  // namespace

const Verb& project_init_verb() {
    static constexpr Verb verb{
        .noun = "project",
        .action = "init",
        .summary = "Make the current folder a project",
        .usage = "project init [name] [options]",
        .description =
            "Writes bolt-project.yaml, an inventory.yaml to begin with and a .gitignore into the current "
            "folder; files that are there stay as they are. The name is the folder's unless one is given.",
        .guide = "project",
        .examples = "volley project init\nvolley project init web_site",
        .options = project_init_options,
        .needs_targets = false,
        .run = run_project_init,
    };
    return verb;
}

}  // namespace volley::cli
