#include <algorithm>

#include "language/errors.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/config/config.hpp"
#include "language/lookup/config/layer.hpp"
#include "language/lookup/interpolate.hpp"
#include "language/lookup/provider.hpp"

namespace volley::lookup {
namespace {

constexpr std::string_view function_keys[] = {"data_hash", "lookup_key", "data_dig", "hiera3_backend",
                                              "v4_data_hash"};
constexpr std::size_t documented_function_keys = 4;  // what may stand in defaults, and in messages
constexpr std::string_view function_key_list = "data_hash, lookup_key, data_dig, or hiera3_backend";
constexpr std::string_view location_keys[] = {"path", "paths", "glob",        "globs",
                                              "uri",  "uris",  "mapped_paths"};
constexpr std::string_view location_key_list = "path, paths, glob, globs, uri, uris, or mapped_paths";

std::ptrdiff_t count_keys(const Hash& hash, std::span<const std::string_view> keys) {
    return std::ranges::count_if(keys, [&hash](std::string_view key) { return hash.find(key) != nullptr; });
}

std::span<const std::string_view> keys_of_defaults() { return {function_keys, documented_function_keys}; }

const std::string* reserved_option(const Hash& section) {
    static const std::string reserved[] = {"path", "uri"};
    const Value* options = section.find("options");
    if (!options || !options->is_hash()) return nullptr;
    for (const std::string& key : reserved) {
        if (options->as_hash().find(key)) return &key;
    }
    return nullptr;
}

std::vector<std::string> texts_of(const Value& value) {
    if (value.is_string()) return {value.as_string()};
    std::vector<std::string> texts;
    for (const Value& item : value.as_array()) texts.push_back(item.as_string());
    return texts;
}

/// Which function an entry calls: its own, or that of the defaults.
std::pair<std::string, std::string> entry_function(const Hash& entry, const Hash& defaults) {
    for (const std::string_view key : function_keys) {
        if (const Value* function = entry.find(key)) return {std::string(key), function->as_string()};
    }
    for (const std::string_view key : keys_of_defaults()) {
        if (const Value* function = defaults.find(key)) return {std::string(key), function->as_string()};
    }
    return {};
}

}  // namespace

void HieraConfig::check_defaults(const Hash& defaults) const {
    if (count_keys(defaults, keys_of_defaults()) > 1) {
        fail("HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT",
             "Only one of " + std::string(function_key_list) + " can be defined in defaults");
    }
    if (const std::string* key = reserved_option(defaults)) {
        fail("HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET",
             "Option key '" + *key + "' used in defaults is reserved by Puppet");
    }
}

void HieraConfig::check_entry(const Hash& entry, const Value& defaults, const Layer& layer) const {
    const std::string in_hierarchy = " in hierarchy '" + entry.find("name")->as_string() + "'";
    const std::ptrdiff_t functions = count_keys(entry, function_keys);
    if (functions == 0 && count_keys(defaults.as_hash(), keys_of_defaults()) == 0) {
        fail("HIERA_MISSING_DATA_PROVIDER_FUNCTION",
             "One of " + std::string(function_key_list) + " must be defined" + in_hierarchy);
    }
    if (functions > 1) {
        fail("HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS",
             "Only one of " + std::string(function_key_list) + " can be defined" + in_hierarchy);
    }
    if (const Value* backend = entry.find("hiera3_backend")) {
        const std::string& name = backend->as_string();
        if (layer.place() != Layer::Place::Global) {
            fail("HIERA_V3_BACKEND_NOT_GLOBAL", "'hiera3_backend' is only allowed in the global layer",
                 line_matching("\\s+hiera3_backend:"));
        }
        if (name == "json" || name == "yaml" || name == "hocon") {
            fail("HIERA_V3_BACKEND_REPLACED_BY_DATA_HASH",
                 "Use \"data_hash: " + name + "_data\" instead of \"hiera3_backend: " + name + "\"",
                 line_matching("\\s+hiera3_backend:\\s*['\"]?" + name + "(?:[^\\w]|$)"));
        }
    }
    if (count_keys(entry, location_keys) > 1) {
        fail("HIERA_MULTIPLE_LOCATION_SPECS",
             "Only one of " + std::string(location_key_list) + " can be defined" + in_hierarchy);
    }
    if (const std::string* key = reserved_option(entry)) {
        fail("HIERA_OPTION_RESERVED_BY_PUPPET",
             "Option key '" + *key + "' used" + in_hierarchy + " is reserved by Puppet");
    }
}

std::optional<std::vector<ResolvedLocation>> HieraConfig::locations(const Hash& entry,
                                                                    const std::string& folder,
                                                                    Invocation& invocation) const {
    const LocationRules rules{folder, path_.empty(), {}};
    for (const char* key : {"path", "paths"}) {
        if (const Value* paths = entry.find(key)) return resolve_paths(texts_of(*paths), rules, invocation);
    }
    for (const char* key : {"glob", "globs"}) {
        if (const Value* globs = entry.find(key)) return resolve_globs(texts_of(*globs), rules, invocation);
    }
    for (const char* key : {"uri", "uris"}) {
        if (const Value* uris = entry.find(key)) return resolve_uris(texts_of(*uris), invocation);
    }
    if (const Value* mapped = entry.find("mapped_paths"))
        return resolve_mapped_paths(texts_of(*mapped), rules, invocation);
    return std::nullopt;
}

HieraConfig::Providers HieraConfig::make_version_5(Invocation& invocation, Layer& layer,
                                                   bool default_hierarchy) const {
    const Hash& defaults = find("defaults")->as_hash();
    const bool plan = invocation.adapter.settings().in_plan && find("plan_hierarchy");
    const Value* hierarchy = find(plan                ? "plan_hierarchy"
                                  : default_hierarchy ? "default_hierarchy"
                                                      : "hierarchy");
    Providers providers;
    for (const Value& item : hierarchy->as_array()) {
        const Hash& entry = item.as_hash();
        Provider::Definition definition;
        definition.name = entry.find("name")->as_string();
        if (std::ranges::any_of(providers, [&](const auto& one) { return one->name() == definition.name; })) {
            fail_repeated("HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED",
                          "Hierarchy name '" + definition.name + "' defined more than once.",
                          "\\s+name:\\s+['\"]?" + definition.name + "(?:[^\\w]|$)");
        }
        const auto [kind, function] = entry_function(entry, defaults);
        definition.function = function;
        definition.kind = kind == "lookup_key" ? Provider::Kind::LookupKey
                          : kind == "data_dig" ? Provider::Kind::DataDig
                                               : Provider::Kind::DataHash;
        definition.legacy = kind == "v4_data_hash";
        const Value* folder = entry.find("datadir");
        if (!folder) folder = defaults.find("datadir");
        const std::string place = joined_path(root_, folder ? folder->as_string() : "data");
        const std::string root = interpolate_text(place, invocation);
        invocation.lenient = true;
        definition.locations = locations(entry, root, invocation);
        invocation.lenient = false;
        if (path_.empty() && definition.locations && definition.locations->empty()) continue;
        const Value* options = entry.find("options");
        if (!options) options = defaults.find("options");
        definition.options = options ? interpolate(*options, invocation, false) : HashBuilder().build();
        if (kind == "hiera3_backend") {
            throw LookupError("The backend '" + function + "' of Hiera 3 in hierarchy '" + definition.name +
                                  "' needs Ruby and is not supported; use data_hash, lookup_key or data_dig",
                              "HIERA_NO_PROVIDER_FOR_BACKEND", {path_, 0, 0});
        }
        providers.push_back(std::make_unique<Provider>(std::move(definition), layer));
    }
    return providers;
}

}  // namespace volley::lookup
