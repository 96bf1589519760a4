#include "inventory/config/config_schema.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "transports/transport.hpp"

namespace volley::inventory {
namespace {

using yaml::Kind;

std::shared_ptr<Schema> copy_of(const SchemaPtr& schema) { return std::make_shared<Schema>(*schema); }

SchemaPtr any_map() { return map_of({}); }

SchemaPtr levels() { return one_of({"trace", "debug", "info", "warn", "error", "fatal"}); }

SchemaPtr disable_or(std::vector<Schema::Property> properties) {
    auto schema = copy_of(map_of(std::move(properties)));
    schema->types = {Kind::String, Kind::Map};
    schema->allowed = {"disable"};
    return schema;
}

SchemaPtr log_section() {
    auto schema = copy_of(map_of({{"console", disable_or({{"level", levels()}})}}));
    schema->additional = disable_or({{"append", boolean()}, {"level", levels()}});
    return schema;
}

SchemaPtr text_or_list() {
    auto schema = copy_of(list_of(text()));
    schema->types = {Kind::Sequence, Kind::String};
    return schema;
}

SchemaPtr plugin_cache() {
    auto schema = copy_of(map_of({{"ttl", integer(0)}}));
    schema->required = {"ttl"};
    return schema;
}

SchemaPtr puppetdb() {
    return or_plugin(map_of(
        {{"cacert", described(text(), "The file of the authority that signed PuppetDB's certificate.")},
         {"cert", described(text(), "The file of a client certificate; together with `key`.")},
         {"connect_timeout", described(integer(1), "Seconds to wait for a connection.")},
         {"headers", described(any_map(), "Further HTTP headers.")},
         {"key", described(text(), "The file of the client certificate's key.")},
         {"read_timeout", described(integer(1), "Seconds to wait for an answer.")},
         {"server_urls", described(list_of(nullptr), "URLs of servers; the next is asked when one fails.")},
         {"token", described(text(), "The file of a token to authenticate with.")}}));
}

SchemaPtr named(const SchemaPtr& value) {
    auto schema = copy_of(any_map());
    schema->additional = value;
    return schema;
}

SchemaPtr module_list() {
    // What the values may be is said by those who install modules; here a mistyped key is found.
    const auto anything = std::make_shared<const Schema>();
    auto element = copy_of(map_of({{"git", anything},
                                   {"name", anything},
                                   {"ref", anything},
                                   {"resolve", anything},
                                   {"version_requirement", anything}}));
    element->types = {Kind::Map, Kind::String};
    return list_of(element);
}

SchemaPtr module_install() {
    return map_of(
        {{"forge",
          map_of({{"authorization_token", or_plugin(text())}, {"baseurl", text()}, {"proxy", text()}})},
         {"proxy", text()}});
}

SchemaPtr apply_methods() { return one_of({"agentless", "auto", "puppet-agent"}); }

SchemaPtr apply_settings() {
    return map_of(
        {{"evaltrace", boolean()},
         {"lock_wait", integer(0)},
         {"log_level", one_of({"debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"})},
         {"show_diff", boolean()},
         {"trace", boolean()}});
}

SchemaPtr future() {
    auto file_paths = copy_of(boolean());
    file_paths->deprecation = "Scripts in the scripts directory are always found; remove the option.";
    return map_of({{"file_paths", file_paths}, {"script_interpreter", boolean()}});
}

SchemaPtr inventory_config() { return map_of(transport_properties()); }

struct Key {
    std::string_view name;
    bool in_defaults;
    bool in_project;
    SchemaPtr (*make)();
    std::string_view description;  // for editors
};

/// "5", 5 or "10%".
SchemaPtr share() {
    auto schema = copy_of(text());
    schema->types = {Kind::Integer, Kind::String};
    schema->minimum = 1;
    return schema;
}

SchemaPtr grouping() {
    auto schema = copy_of(one_of({"auto"}));
    schema->types = {Kind::Boolean, Kind::String};
    return schema;
}

SchemaPtr from_one() { return integer(1); }
SchemaPtr text_list() { return list_of(text()); }
SchemaPtr any_list() { return list_of(nullptr); }
SchemaPtr plugin_map() { return or_plugin(any_map()); }
SchemaPtr plugins() { return named(or_plugin(any_map())); }
SchemaPtr puppetdb_instances() { return or_plugin(named(puppetdb())); }
SchemaPtr text_or_plugin() { return or_plugin(text()); }

/// Section 3.5 of the checklist.
constexpr auto config_keys = std::to_array<Key>({
    {"adhoc-targets", true, true, boolean,
     "Whether targets that the inventory does not define are accepted or refused before anything runs; "
     "without it the command line takes those that look like an address, and plans take all."},
    {"analytics", true, true, boolean, "Whether Bolt may send usage data; Volley never sends any."},
    {"apply-method", true, true, apply_methods,
     "Who applies manifests on targets: Volley's own agent (agentless), which is sent there and needs "
     "nothing installed; the target's puppet-agent; or auto, the default: agentless where it can."},
    {"apply-settings", false, true, apply_settings, "Puppet settings for applying manifests."},
    {"batch", true, true, share, "What --batch says when it is not given: a number of targets, or '10%'."},
    {"color", true, true, boolean, "Use colors on a terminal."},
    {"compile-concurrency", true, true, from_one,
     "How many catalogs are compiled at once; less than twice the number of processors."},
    {"concurrency", true, true, from_one, "How many targets are worked on at once."},
    {"confirm-targets", true, true, from_one,
     "Ask before commands, scripts, tasks, uploads, plans and applies on more targets than this; --yes "
     "answers. Not asked without a terminal."},
    {"confirm-without-terminal", true, true, boolean,
     "Refuse to run on more targets than `confirm-targets` without --yes where nobody can be asked."},
    {"disable-warnings", true, true, text_list, "IDs of warnings that are not to be shown."},
    {"format", true, true, text, "The output format."},
    {"future", false, true, future, "Behaviour of the next major version."},
    {"group", true, true, grouping, "What --group says when it is not given: auto, on or off."},
    {"hiera-config", false, true, text, "The Hiera configuration file, relative to the project."},
    {"inventory-config", true, false, inventory_config,
     "Configuration of transports for every target; the inventory wins over it."},
    {"journal", true, true, boolean, "Record every run in the project's journal (volley run list)."},
    {"journal-days", true, true, from_one, "Days after which runs are removed from the journal."},
    {"journal-size", true, true, from_one,
     "Maximum size of the journal in MiB; the oldest runs are removed first."},
    {"live", true, true, boolean, "Show live progress on a terminal."},
    {"log", true, true, log_section, "Where to log and how much: `console`, and files by their paths."},
    {"max-failures", true, true, share,
     "What --max-failures says when it is not given: a number of targets, or '10%'."},
    {"module-install", true, true, module_install, "Where modules are installed from."},
    {"modulepath", false, true, text_or_list,
     "Directories that modules are loaded from: a list, or a string with ':' between them."},
    {"modules", false, true, module_list, "The modules that the project needs."},
    {"name", false, true, text, "The name of the project: lowercase letters, digits and underscores."},
    {"plans", false, true, any_list, "Plans that listings show, as names or patterns."},
    {"plugin-cache", true, true, plugin_cache, "How long answers of plugins are cached."},
    {"plugin-hooks", true, true, plugin_map, "Which plugin each hook uses."},
    {"plugins", true, true, plugins, "Configuration of plugins, by their names."},
    {"policies", false, true, any_list, "Classes that are policies."},
    {"puppetdb", true, true, puppetdb, "How to reach the default PuppetDB."},
    {"puppetdb-instances", true, true, puppetdb_instances, "How to reach further PuppetDBs, by their names."},
    {"rerunfile", false, true, text_or_plugin, "The file that remembers the results for --rerun."},
    {"save-rerun", true, true, boolean, "Remember the results for --rerun."},
    {"spinner", true, true, boolean, "Show a progress indicator."},
    {"stream", true, true, boolean, "Show output of targets as it arrives."},
    {"tasks", false, true, any_list, "Tasks that listings show, as names or patterns."},
    {"timeout", true, true, from_one, "Time limit per target in seconds, when --timeout is not given."},
    {"trusted-external-command", false, true, text,
     "A program that prints trusted external facts of a target."},
    {"verbose", true, true, boolean, "Show what each target did, as --verbose does; --no-verbose wins."},
});

// A name that stands here twice would mean only the first of the two, in every file that may have it.
static_assert(std::ranges::adjacent_find(config_keys, std::greater_equal<>(), &Key::name) ==
                  config_keys.end(),
              "the keys are in the order of their names, each once");

const Key* find_key(std::string_view name) {
    const auto found = std::ranges::find(config_keys, name, &Key::name);
    return found == config_keys.end() ? nullptr : &*found;
}

SchemaPtr format_schema(const std::vector<std::string>& output_formats) {
    return output_formats.empty() ? text() : one_of(output_formats);
}

Schema schema_of(bool Key::*file, const std::vector<std::string>& output_formats) {
    std::vector<Schema::Property> properties;
    for (const Key& key : config_keys) {
        if (!(key.*file)) continue;
        const SchemaPtr schema = key.name == "format" ? format_schema(output_formats) : key.make();
        properties.push_back({key.name, described(schema, key.description)});
    }
    return *map_of(std::move(properties));
}

SchemaPtr option_schema(const transports::OptionSpec& option) {
    using transports::OptionType;
    auto schema = std::make_shared<Schema>();
    switch (option.type) {
        case OptionType::Boolean:
            schema->types = {Kind::Boolean};
            break;
        case OptionType::Integer:
            schema->types = {Kind::Integer};
            break;
        case OptionType::String:
            schema->types = {Kind::String};
            break;
        case OptionType::StringArray:
            schema->types = {Kind::Sequence};
            break;
        case OptionType::StringOrArray:
            schema->types = {Kind::Sequence, Kind::String};
            break;
        case OptionType::Map:
            schema->types = {Kind::Map};
            break;
        case OptionType::StringOrMap:
            schema->types = {Kind::Map, Kind::String};
            schema->required = {"key-data"};  // private-key is the one option of this type
            break;
        case OptionType::Interpreters:
            schema->types = {Kind::Map};
            schema->additional = text_or_list();
            break;
    }
    if (option.type == OptionType::StringArray || option.type == OptionType::StringOrArray)
        schema->elements = text();
    schema->minimum = option.minimum;
    schema->maximum = option.maximum;
    schema->description = option.description;
    schema->default_json = option.default_json;
    for (const std::string_view word : option.allowed) schema->allowed.emplace_back(word);
    return schema;
}

SchemaPtr section_schema(const transports::TransportSpec& transport) {
    std::vector<Schema::Property> properties;
    for (const transports::OptionSpec& option : transport.options) {
        properties.push_back({option.name, option_schema(option)});
    }
    auto schema = copy_of(or_plugin(map_of(std::move(properties))));
    schema->open = transport.keeps_unknown_options;
    return schema;
}

}  // namespace

std::vector<Schema::Property> transport_properties() {
    std::vector<Schema::Property> properties{
        {"transport", described(or_plugin(one_of(transports::known_transport_names())),
                                "How targets are reached when their URI does not say it.")}};
    for (const std::string& name : transports::known_transport_names()) {
        properties.push_back({name, section_schema(*transports::find_transport(name))});
    }
    return properties;
}

Schema project_schema(const std::vector<std::string>& output_formats) {
    return schema_of(&Key::in_project, output_formats);
}

Schema defaults_schema(const std::vector<std::string>& output_formats) {
    return schema_of(&Key::in_defaults, output_formats);
}

Schema command_line_schema(const std::vector<std::string>& output_formats) {
    return *map_of({{"compile-concurrency", integer(1)},
                    {"concurrency", integer(1)},
                    {"format", format_schema(output_formats)},
                    {"transport", one_of(transports::known_transport_names())}});
}

bool is_project_key(std::string_view key) {
    const Key* found = find_key(key);
    return found != nullptr && found->in_project;
}

bool is_defaults_key(std::string_view key) {
    const Key* found = find_key(key);
    return found != nullptr && found->in_defaults;
}

bool is_inventory_key(std::string_view key) {
    return key == "transport" || transports::find_transport(key) != nullptr;
}

}  // namespace volley::inventory
