#include "planner/apply/policies.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "language/errors.hpp"
#include "language/loaders/disk_host.hpp"
#include "language/lookup/data/yaml_value.hpp"
#include "language/syntax/ast_walk.hpp"
#include "planner/apply/catalog_source.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "support/wildcard.hpp"
#include "tasks/metadata.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;

std::optional<std::vector<std::string>> listed_policies(const inventory::Config& config) {
    if (!config.raw || !config.raw->contains("policies") || !(*config.raw)["policies"].is_array())
        return std::nullopt;
    std::vector<std::string> names;
    for (const Json& entry : (*config.raw)["policies"]) {
        if (!entry.is_string()) continue;
        std::string name = entry.get<std::string>();
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
    return names;
}

bool defines_class(const ast::Node& node, std::string_view name) {
    if (node.kind == ast::NodeKind::Class && lower(ast::as<ast::Definition>(node).name) == name) return true;
    if (node.kind != ast::NodeKind::Block) return false;
    const ast::NodeList statements = ast::as<ast::Block>(node).statements;
    return std::any_of(statements.begin(), statements.end(),
                       [name](const ast::Node* statement) { return defines_class(*statement, name); });
}

/// "a::b::c" may be in its own file, or in that of "a::b" or "a".
bool is_loadable_class(DiskHost& host, const std::string& policy) {
    for (std::string name = policy; !name.empty();) {
        if (const auto file = host.manifest_source(name)) {
            if (file->program && file->program->body && defines_class(*file->program->body, policy))
                return true;
        }
        const std::size_t colons = name.rfind("::");
        name = colons == std::string::npos ? std::string() : name.substr(0, colons);
    }
    return false;
}

std::string quoted_list(const std::vector<std::string>& names) { return "'" + join(names, "', '") + "'"; }

void check_policy_name(const inventory::Project& project, const std::string& name,
                       const std::vector<std::string>& segments) {
    if (!std::all_of(segments.begin(), segments.end(),
                     [](const auto& one) { return tasks::is_plain_name(one); })) {
        throw Error(
            "bolt/validation-error",
            "Invalid policy name '" + name +
                "'. Policy names are segments separated by double colons '::'; each begins with a lowercase "
                "letter and holds only lowercase letters, digits and underscores.");
    }
    if (!project.name) {
        throw Error("bolt/validation-error",
                    "Can't create a policy for a project that has no name. Put 'name: my_project' into '" +
                        project.project_file().string() +
                        "', or make a project with 'volley project init <NAME>'.");
    }
    if (segments.front() != *project.name) {
        throw Error("bolt/validation-error", "Policy name '" + name + "' must begin with project name '" +
                                                 *project.name + "'. Did you mean '" + *project.name +
                                                 "::" + name + "'?");
    }
}

/// The project file's text with one more entry under `policies`, comments and all.
std::string with_policy(const std::string& text, const std::string& name) {
    std::vector<std::string> lines = split(text, '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    const auto key = std::find_if(lines.begin(), lines.end(),
                                  [](const std::string& line) { return line.starts_with("policies:"); });
    if (key == lines.end()) {
        lines.insert(lines.end(), {"policies:", "- " + name});
        return join(lines, "\n") + "\n";
    }
    const std::size_t bracket = key->rfind(']');
    if (bracket != std::string::npos) {  // [a, b]
        const std::size_t open = key->find('[');
        const bool empty = trim(std::string_view(*key).substr(open + 1, bracket - open - 1)).empty();
        key->insert(bracket, (empty ? "" : ", ") + name);
        return join(lines, "\n") + "\n";
    }
    auto at = key + 1;
    std::string dash = "- ";
    for (auto line = at; line != lines.end(); ++line) {
        const std::string_view words = trim(*line);
        if (words.starts_with("- ")) {
            dash = line->substr(0, line->find('-')) + "- ";
            at = line + 1;
        } else if (!words.empty() && !words.starts_with('#')) {
            break;
        }
    }
    lines.insert(at, dash + name);
    return join(lines, "\n") + "\n";
}

using PolicyNames = std::vector<std::string>;

/// The policies that the text of a project file lists; nullopt when it cannot be read as such.
std::optional<PolicyNames> policies_in(const std::string& text, const std::string& file) {
    try {
        const Value data = lookup::yaml_value(text, file);
        const Value* list = data.is_hash() ? data.as_hash().find("policies") : nullptr;
        if (!list || list->is_undef()) return PolicyNames();
        PolicyNames names;
        for (const Value& name : list->as_array()) names.push_back(name.as_string());
        return names;
    } catch (const LanguageError&) {
        return std::nullopt;
    }
}

/// The project file's text with the policy in its list. Throws Error when it is written in a way that does
/// not allow that.
std::string project_text_with(const fs::path& file, const std::string& name) {
    std::string text = read_file(file, "project file");
    std::optional<PolicyNames> wanted = policies_in(text, file.string());
    if (wanted && std::find(wanted->begin(), wanted->end(), name) != wanted->end()) return text;
    std::string changed = with_policy(text, name);
    if (wanted) wanted->push_back(name);
    if (wanted && policies_in(changed, file.string()) == wanted) return changed;
    throw Error("bolt/file-error", "Cannot add the policy to " + file.string() + ": put '" + name +
                                       "' into its list 'policies' yourself");
}

}  // namespace

std::vector<std::string> project_policies(const inventory::Config& config) {
    if (auto policies = listed_policies(config)) return *std::move(policies);
    throw Error("bolt/no-policies-error",
                "Project configuration file " + config.project.project_file().string() +
                    " does not specify any policies. You can add policies to the project by including a "
                    "'policies' key "
                    "or creating a new policy using the 'volley policy new <NAME>' command.");
}

void check_policies(const inventory::Config& config, const tasks::Library& library,
                    const std::vector<std::string>& names) {
    const std::vector<std::string> known = listed_policies(config).value_or(std::vector<std::string>());
    std::vector<std::string> unavailable;
    std::vector<std::string> unloadable;
    DiskEnvironmentOptions options;
    options.modulepath = library.modulepath();
    if (config.project.name) options.modules.push_back({*config.project.name, config.project.path.string()});
    DiskHost host(std::make_shared<const DiskEnvironment>(std::move(options)), apply_language_settings(),
                  [](const LogEntry&) {});
    for (const std::string& name : names) {
        const bool listed = std::any_of(known.begin(), known.end(), [&name](const std::string& pattern) {
            return wildcard_match_any(pattern, name, {.any_case = true});
        });
        if (!listed)
            unavailable.push_back(name);
        else if (!is_loadable_class(host, name))
            unloadable.push_back(name);
    }
    if (!unavailable.empty()) {
        throw Error(
            "bolt/unavailable-policy-error",
            "The following policies are not available to the project: " + quoted_list(unavailable) +
                ". You must list policies in a project's 'policies' setting before they can be applied to "
                "targets. For a list of policies available to the project, run 'volley policy show'.");
    }
    if (!unloadable.empty()) {
        throw Error(
            "bolt/unloadable-policy-error",
            "The following policies cannot be loaded: " + quoted_list(unloadable) +
                ". Policies must be a Puppet class saved to a project's or module's manifests directory.");
    }
}

fs::path create_policy(const inventory::Project& project, const std::string& name) {
    const std::vector<std::string> segments = split(name, "::");
    check_policy_name(project, name, segments);
    fs::path file = project.path / "manifests";
    for (std::size_t i = 1; i + 1 < segments.size(); ++i) file /= segments[i];
    std::error_code error;
    fs::create_directories(file, error);
    if (error) {
        throw Error("bolt/existing-file-error",
                    error.message() + "; unable to create manifests directory '" + file.string() + "'");
    }
    file /= (segments.size() == 1 ? "init" : segments.back()) + ".pp";
    if (fs::exists(file, error)) {
        throw Error("bolt/existing-policy-error", "A policy with the name '" + name +
                                                      "' already exists at '" + file.string() +
                                                      "', nothing to do.");
    }
    const std::string project_text = project_text_with(project.project_file(), name);
    write_file_atomically(file, "class " + name + " {\n\n}\n");
    write_file_atomically(project.project_file(), project_text);
    return file;
}

}  // namespace volley::planner
