#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/apply/agentless/agent_queries.hpp"
#include "planner/apply/agentless/agentless.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::array agent_types = {
#define VOLLEY_AGENT_TYPE(name) std::string_view(#name),
#include "apply/agent/types/registry.def"
#undef VOLLEY_AGENT_TYPE
};

/// A provider that the agent has, and the type that it is for.
struct AgentProvider {
    std::string_view type, name;
};

constexpr std::array agent_providers = {
#define VOLLEY_PACKAGE_PROVIDER(name) AgentProvider{"package", #name},
#include "apply/agent/types/package/registry.def"
#undef VOLLEY_PACKAGE_PROVIDER
#define VOLLEY_SERVICE_PROVIDER(name) AgentProvider{"service", #name},
#include "apply/agent/types/service/registry.def"
#undef VOLLEY_SERVICE_PROVIDER
    AgentProvider{"exec", "posix"},        AgentProvider{"exec", "shell"},
    AgentProvider{"alternatives", "dpkg"}, AgentProvider{"alternative_entry", "dpkg"},
    AgentProvider{"reboot", "linux"},      AgentProvider{"reboot", "posix"},
    AgentProvider{"vcsrepo", "git"},
};

/// False only for a provider of a type of which the agent has others.
bool has_provider(std::string_view type, std::string_view name) {
    bool is_known = false;
    for (const AgentProvider& one : agent_providers) {
        if (one.type == type && one.name == name) return true;
        is_known = is_known || one.type == type;
    }
    return !is_known;
}

/// The types of which the agent knows what there is on a machine, for `resources`.
constexpr std::array<std::string_view, 7> listed_types = {"cron",  "group",  "host", "mailalias",
                                                          "mount", "sshkey", "user"};

bool has_deferred(const Json& value) {
    if (value.is_object()) {
        const auto type = value.find("__ptype");
        if (type != value.end() && *type == "Deferred") return true;
    }
    return value.is_structured() && std::any_of(value.begin(), value.end(), has_deferred);
}

/// A resource that stands for something on the machine, and not for other resources.
bool is_native(const Json& resource, const std::string& type) {
    if (type == "class" || type == "stage") return false;
    const auto kind = resource.find("kind");
    const bool known = std::find(agent_types.begin(), agent_types.end(), type) != agent_types.end();
    return known || (kind != resource.end() && *kind == "compilable_type");
}

constexpr std::array<std::string_view, 12> metaparameters = {"alias",    "audit",     "before",   "loglevel",
                                                             "noop",     "notify",    "provider", "require",
                                                             "schedule", "subscribe", "stage",    "tag"};
/// Of types that modules have in several forms: what the agent's has.
constexpr std::array<std::string_view, 4> sysctl_attributes = {"name", "ensure", "val", "target"};
constexpr std::array<std::string_view, 29> archive_attributes = {
    "path",       "ensure",          "creates",       "filename",        "extract",       "extract_path",
    "target",     "extract_command", "extract_flags", "temp_dir",        "cleanup",       "source",
    "url",        "cookie",          "headers",       "checksum",        "digest_string", "checksum_url",
    "digest_url", "checksum_type",   "digest_type",   "checksum_verify", "username",      "password",
    "user",       "group",           "proxy_type",    "proxy_server",    "allow_insecure"};
constexpr std::array<std::string_view, 7> config_attributes = {
    "name", "ensure", "value", "secret", "ensure_absent_val", "key_val_separator", "quote"};

template <class List>
bool holds(const List& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

/// False only where the agent's form of a type lacks what another form has.
bool has_attribute(std::string_view type, std::string_view attribute) {
    if (type == "archive") return holds(archive_attributes, attribute);
    return type != "sysctl" || holds(sysctl_attributes, attribute);
}

/// What Volley does not fetch.
void add_sources_of_archive(const std::string& name, const Json& parameters, std::set<std::string>& others) {
    for (const char* attribute : {"source", "url", "checksum_url", "digest_url"}) {
        const std::string url = text_in(parameters, attribute);
        for (const char* scheme : {"ftp://", "sftp://", "s3://", "gs://"}) {
            if (url.starts_with(scheme))
                others.insert("sources of the kind " + std::string(scheme) + " of " + name);
        }
    }
    if (text_in(parameters, "ensure") == "latest") others.insert("the value latest of ensure of " + name);
}

/// Whether a `resources` removes what the agent cannot list. `module_types`: what the catalog says of types.
bool purges_unlisted(const Json& resource, const Json& parameters, const Json& module_types) {
    const auto purge = parameters.find("purge");
    const bool purges = purge != parameters.end() && (*purge == true || *purge == "true" || *purge == "yes");
    const std::string given = text_in(parameters, "name");
    const std::string name = given.empty() ? resource.value("title", std::string()) : given;
    return purges && !module_types.contains(lower(name)) &&
           std::find(listed_types.begin(), listed_types.end(), name) == listed_types.end();
}

}  // namespace

std::vector<std::string> agent_type_names() {
    std::vector<std::string> names(agent_types.begin(), agent_types.end());
    std::erase(names, "config_setting");  // what types of modules are made of
    std::sort(names.begin(), names.end());
    return names;
}

std::string not_for_agent(const CompiledCatalog& catalog) {
    std::set<std::string> types, others;
    const auto resources = catalog.document->find("resources");
    const Json module_types = catalog.document->value("module_types", Json::object());
    if (resources == catalog.document->end()) return {};
    for (const Json& resource : *resources) {
        const std::string shown = resource.value("type", std::string());
        const std::string type = lower(shown);
        if (!is_native(resource, type)) continue;
        const std::string name = shown + "[" + resource.value("title", std::string()) + "]";
        const bool of_module = module_types.contains(type);
        if (!of_module && std::find(agent_types.begin(), agent_types.end(), type) == agent_types.end()) {
            types.insert(type);
            continue;
        }
        const auto parameters = resource.find("parameters");
        if (parameters == resource.end() || !parameters->is_object()) continue;
        const std::string provider = text_in(*parameters, "provider");
        if (!provider.empty() && !has_provider(type, provider))
            others.insert("the provider " + provider + " of " + name);
        if (type == "resources" && purges_unlisted(resource, *parameters, module_types))
            others.insert("the purging of " + name);
        if (type == "archive") add_sources_of_archive(name, *parameters, others);
        for (const auto& [attribute, value] : parameters->items()) {
            const bool known =
                holds(metaparameters, attribute) ||
                (of_module ? holds(config_attributes, attribute) : has_attribute(type, attribute));
            if (!known) others.insert("the attribute " + attribute + " of " + name);
            if (has_deferred(value)) others.insert("the Deferred value of " + attribute + " in " + name);
        }
    }
    std::string text;
    if (!types.empty())
        text = "the resource " + std::string(types.size() == 1 ? "type " : "types ") +
               join(std::vector<std::string>(types.begin(), types.end()), ", ");
    for (const std::string& other : others) text += (text.empty() ? "" : "; ") + other;
    return text;
}

}  // namespace volley::planner
