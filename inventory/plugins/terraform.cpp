#include <oniguruma.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "inventory/plugins/mapping.hpp"
#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/process/child_process.hpp"
#include "support/text.hpp"

namespace volley::inventory::plugins {
namespace {

/// What resource_type is: a regular expression as Ruby has them, which matches anywhere. Not regcomp() of the
/// C library: Oniguruma defines that name too, and with AddressSanitizer one library compiled what the other
/// one matched.
class ResourcePattern {
public:
    explicit ResourcePattern(const std::string& pattern) {
        OnigEncoding utf8 = ONIG_ENCODING_UTF8;
        static const int ready = ::onig_initialize(&utf8, 1);
        const auto* const begin = reinterpret_cast<const OnigUChar*>(pattern.data());
        if (ready != ONIG_NORMAL || ::onig_new(&compiled_, begin, begin + pattern.size(), ONIG_OPTION_NONE,
                                               utf8, ONIG_SYNTAX_RUBY, nullptr) != ONIG_NORMAL)
            throw Error("bolt/validation-error",
                        "resource_type is not a valid regular expression: " + pattern);
    }
    ~ResourcePattern() { ::onig_free(compiled_); }
    ResourcePattern(const ResourcePattern&) = delete;
    ResourcePattern& operator=(const ResourcePattern&) = delete;
    bool matches(const std::string& name) const {
        const auto* const begin = reinterpret_cast<const OnigUChar*>(name.data());
        const auto* const end = begin + name.size();
        return ::onig_search(compiled_, begin, end, begin, end, nullptr, ONIG_OPTION_NONE) >= 0;
    }

private:
    OnigRegex compiled_ = nullptr;
};

struct TerraformResource {
    std::string name;
    Json attributes;
};

/// State files since Terraform 0.12.
std::vector<TerraformResource> resources_of_version_4(const Json& state) {
    std::vector<TerraformResource> all;
    for (const Json& set : state.value("resources", Json::array())) {
        const std::string prefix = set.value("type", "") + "." + set.value("name", "");
        for (const Json& instance : set.value("instances", Json::array())) {
            std::string name = prefix;
            const auto index = instance.find("index_key");
            if (index != instance.end() && !index->is_null())
                name += "." + (index->is_string() ? index->get<std::string>() : index->dump());
            // A state of an older version that `terraform state pull` converted has flat attributes.
            const char* const kind = instance.contains("attributes") ? "attributes" : "attributes_flat";
            all.push_back({std::move(name), instance.value(kind, Json::object())});
        }
    }
    return all;
}

/// "network.0.ip": x as {network: {0: {ip: x}}}, which the mapping's paths lead into.
Json nested_attributes(const Json& flat) {
    Json out = Json::object();
    for (const auto& [path, value] : flat.items()) {
        Json* at = &out;
        for (const std::string& part : split(path, '.')) {
            if (!at->is_object()) *at = Json::object();  // "tags" besides "tags.Name"
            at = &(*at)[part];
        }
        if (!at->is_object()) *at = value;
    }
    return out;
}

/// Older ones: modules, whose resources have flat attributes.
std::vector<TerraformResource> resources_of_version_3(const Json& state) {
    std::vector<TerraformResource> all;
    for (const Json& module : state.value("modules", Json::array())) {
        const Json resources = module.value("resources", Json::object());
        for (const auto& [name, resource] : resources.items()) {
            const Json primary = resource.value("primary", Json::object());
            all.push_back({name, nested_attributes(primary.value("attributes", Json::object()))});
        }
    }
    return all;
}

/// What the `terraform` program says is the state of a remote backend. Its own messages go to standard error.
std::string pull_terraform_state(const std::filesystem::path& folder) {
    if (find_program("terraform").empty())
        throw Error("bolt/validation-error",
                    "Could not find executable 'terraform', which a remote backend needs");
    if (!std::filesystem::is_directory(folder))
        throw Error("bolt/validation-error", "Could not find directory '" + folder.string() + "'");
    ChildProcess child({.argv = {"terraform", "state", "pull"}, .directory = folder.string()});
    child.close_input();
    std::string text;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    while (child.read(text, deadline)) continue;
    if (child.wait() != 0 || text.empty()) {
        throw Error("bolt/validation-error", "Could not pull Terraform remote state file for " +
                                                 folder.string() + "; the reason is above");
    }
    return text;
}

Json read_terraform_state(const PluginContext& context, const Json& options) {
    const std::filesystem::path folder =
        expand_path(required_text("terraform", options, "dir"), context.project);
    const bool remote = plugin_text(options, "backend", "local") == "remote";
    const std::filesystem::path path =
        expand_path(plugin_text(options, "state", "terraform.tfstate"), folder);
    std::error_code ignored;
    if (!remote && !std::filesystem::exists(path, ignored)) return Json::object();  // nothing was made yet
    std::string fault = "it is not an object";
    Json state =
        try_parse_json(remote ? pull_terraform_state(folder) : read_file(path, "Terraform state"), fault);
    if (!state.is_object()) {
        throw Error("bolt/plugin-error", "The Terraform state " +
                                             (remote ? "of " + folder.string() : path.string()) +
                                             " is not valid JSON: " + fault);
    }
    return state;
}

/// Targets for the resources of a state, local or from a backend, whose address matches (PLG-040).
Json terraform_targets(const PluginContext& context, const Json& options) {
    const ResourcePattern pattern(required_text("terraform", options, "resource_type"));
    const Json& mapping = target_mapping("terraform", options);
    const Json state = read_terraform_state(context, options);
    const bool modern = state.value("version", 0) >= 4;
    Json targets = Json::array();
    for (const TerraformResource& resource :
         modern ? resources_of_version_4(state) : resources_of_version_3(state)) {
        if (pattern.matches(resource.name))
            targets.push_back(map_target(mapping, resource.attributes, resource.name));
    }
    return targets;
}

}  // namespace

const PluginSpec& terraform_plugin() {
    static const PluginSpec spec{
        "terraform",
        {{Hook::ResolveReference, "Make targets of the resources in a Terraform state.", terraform_targets}},
        false,
        Answers::OfMachines,
        {{"dir"},
         {"resource_type"},
         {"state"},
         {"backend"},
         {"target_mapping", PluginSpec::Option::Type::Hash}}};
    return spec;
}

}  // namespace volley::inventory::plugins
