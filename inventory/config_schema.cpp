#include "inventory/config_schema.hpp"

#include <algorithm>
#include <array>

#include "transports/option_tables/option_tables.hpp"

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
    return or_plugin(map_of({{"cacert", text()},
                             {"cert", text()},
                             {"connect_timeout", integer(1)},
                             {"headers", any_map()},
                             {"key", text()},
                             {"read_timeout", integer(1)},
                             {"server_urls", list_of(nullptr)},
                             {"token", text()}}));
}

SchemaPtr named(const SchemaPtr& value) {
    auto schema = copy_of(any_map());
    schema->additional = value;
    return schema;
}

SchemaPtr module_list() {
    auto element = std::make_shared<Schema>();
    element->types = {Kind::Map, Kind::String};
    return list_of(element);
}

SchemaPtr module_install() {
    return map_of(
        {{"forge",
          map_of({{"authorization_token", or_plugin(text())}, {"baseurl", text()}, {"proxy", text()}})},
         {"proxy", text()}});
}

SchemaPtr apply_settings() {
    return map_of(
        {{"evaltrace", boolean()},
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

SchemaPtr output_formats() { return one_of({"human", "json", "ndjson", "rainbow"}); }

struct Key {
    std::string_view name;
    bool in_defaults;
    bool in_project;
    SchemaPtr (*make)();
};

SchemaPtr from_one() { return integer(1); }
SchemaPtr text_list() { return list_of(text()); }
SchemaPtr any_list() { return list_of(nullptr); }
SchemaPtr plugin_map() { return or_plugin(any_map()); }
SchemaPtr plugins() { return named(or_plugin(any_map())); }
SchemaPtr puppetdb_instances() { return or_plugin(named(puppetdb())); }
SchemaPtr text_or_plugin() { return or_plugin(text()); }

/// Section 3.5 of the checklist.
constexpr auto keys = std::to_array<Key>({
    {"analytics", true, true, boolean},
    {"apply-settings", false, true, apply_settings},
    {"color", true, true, boolean},
    {"compile-concurrency", true, true, from_one},
    {"concurrency", true, true, from_one},
    {"disable-warnings", true, true, text_list},
    {"format", true, true, output_formats},
    {"future", false, true, future},
    {"hiera-config", false, true, text},
    {"inventory-config", true, false, inventory_config},
    {"log", true, true, log_section},
    {"module-install", true, true, module_install},
    {"modulepath", false, true, text_or_list},
    {"modules", false, true, module_list},
    {"name", false, true, text},
    {"plans", false, true, any_list},
    {"plugin-cache", true, true, plugin_cache},
    {"plugin-hooks", true, true, plugin_map},
    {"plugins", true, true, plugins},
    {"policies", false, true, any_list},
    {"puppetdb", true, true, puppetdb},
    {"puppetdb-instances", true, true, puppetdb_instances},
    {"rerunfile", false, true, text_or_plugin},
    {"save-rerun", true, true, boolean},
    {"spinner", true, true, boolean},
    {"stream", true, true, boolean},
    {"tasks", false, true, any_list},
    {"trusted-external-command", false, true, text},
});

const Key* find_key(std::string_view name) {
    const auto found = std::ranges::find(keys, name, &Key::name);
    return found == keys.end() ? nullptr : &*found;
}

Schema schema_of(bool Key::*file) {
    std::vector<Schema::Property> properties;
    for (const Key& key : keys) {
        if (key.*file) properties.push_back({key.name, key.make()});
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
    for (const std::string_view word : option.allowed) schema->allowed.emplace_back(word);
    return schema;
}

SchemaPtr config_schema_section_schema(const transports::TransportSpec& transport) {
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
        {"transport", or_plugin(one_of(transports::known_transport_names()))}};
    for (const std::string& name : transports::known_transport_names()) {
        properties.push_back({name, config_schema_section_schema(*transports::find_transport_options(name))});
    }
    return properties;
}

const Schema& project_schema() {
    static const Schema schema = schema_of(&Key::in_project);
    return schema;
}

const Schema& defaults_schema() {
    static const Schema schema = schema_of(&Key::in_defaults);
    return schema;
}

const Schema& command_line_schema() {
    static const Schema schema = *map_of({{"compile-concurrency", integer(1)},
                                          {"concurrency", integer(1)},
                                          {"format", output_formats()},
                                          {"transport", one_of(transports::known_transport_names())}});
    return schema;
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
    return key == "transport" || transports::find_transport_options(key) != nullptr;
}

}  // namespace volley::inventory
