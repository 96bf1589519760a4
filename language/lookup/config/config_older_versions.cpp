#include <algorithm>
#include <filesystem>

#include "language/errors.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/config/config.hpp"
#include "language/lookup/config/layer.hpp"
#include "language/lookup/interpolate.hpp"
#include "language/lookup/provider.hpp"

namespace volley::lookup {
namespace {

std::vector<std::string> one_or_more(const Value& value) {
    if (value.is_string()) return {value.as_string()};
    std::vector<std::string> texts;
    for (const Value& item : value.as_array()) texts.push_back(item.as_string());
    return texts;
}

bool names_provider(const HieraConfig::Providers& providers, const std::string& name) {
    return std::ranges::any_of(providers, [&name](const auto& one) { return one->name() == name; });
}

bool reads_hashes(const std::string& backend) {
    return backend == "yaml" || backend == "json" || backend == "hocon";
}

}  // namespace

/// Version 3: backends, each with the whole hierarchy.
HieraConfig::Providers HieraConfig::make_version_3(Invocation& invocation, Layer& layer) const {
    const std::string standard =
        joined_path(invocation.adapter.settings().code_folder, "environments/%{::environment}/hieradata");
    const std::vector<std::string> hierarchy = one_or_more(*find("hierarchy"));
    Providers providers;
    for (const std::string& backend : one_or_more(*find("backends"))) {
        if (names_provider(providers, backend)) {
            fail_repeated("HIERA_BACKEND_MULTIPLY_DEFINED",
                          "Backend '" + backend + "' is defined more than once.",
                          "[^\\w]" + backend + "(?:[^\\w]|$)");
        }
        const Value* given = find(backend);
        Value options = given ? interpolate(*given, invocation, false) : HashBuilder().build();
        const Value* folder = options.as_hash().find("datadir");
        const Value* extension = options.as_hash().find("extension");
        Provider::Definition definition;
        definition.name = backend;
        definition.level_folder =
            // Compatibility: a relative one counts from where the program runs.
            folder && folder->is_string()
                ? std::filesystem::absolute(folder->as_string()).lexically_normal().string()
                : interpolate_text(standard, invocation);
        definition.level_extension = extension && extension->is_string() ? "." + extension->as_string()
                                     : backend == "hocon"                ? ".conf"
                                                                         : "." + backend;
        definition.options = HashBuilder().build();
        if (reads_hashes(backend)) {
            definition.function = backend + "_data";
        } else if (backend == "eyaml") {
            definition.kind = Provider::Kind::LookupKey;
            definition.function = "eyaml_lookup_key";
            definition.options = options;
        } else {
            throw LookupError("The backend '" + backend + "' of Hiera 3 needs Ruby and is not supported",
                              "HIERA_NO_PROVIDER_FOR_BACKEND", {path_, 0, 0});
        }
        const LocationRules rules{joined_path(root_, definition.level_folder), path_.empty(),
                                  definition.level_extension};
        definition.level_folder = rules.folder;
        definition.locations = resolve_paths(hierarchy, rules, invocation);
        // Compatibility: levels of a call get the backend's name for an extension.
        definition.level_extension = "." + backend;
        providers.push_back(std::make_unique<Provider>(std::move(definition), layer));
    }
    return providers;
}

/// Version 4: entries with a backend and paths without extension.
HieraConfig::Providers HieraConfig::make_version_4(Invocation& invocation, Layer& layer) const {
    Providers providers;
    for (const Value& item : find("hierarchy")->as_array()) {
        const Hash& entry = item.as_hash();
        Provider::Definition definition;
        definition.name = entry.find("name")->as_string();
        if (names_provider(providers, definition.name)) {
            fail_repeated("HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED",
                          "Hierarchy name '" + definition.name + "' defined more than once.",
                          "\\s+name:\\s+['\"]?" + definition.name + "(?:[^\\w]|$)");
        }
        const std::string& backend = entry.find("backend")->as_string();
        if (!reads_hashes(backend)) {
            fail("HIERA_NO_PROVIDER_FOR_BACKEND",
                 "No data provider is registered for backend '" + backend + "'",
                 line_matching("[^\\w]" + backend + "(?:[^\\w]|$)"));
        }
        const Value* folder = entry.find("datadir");
        const Value* path = entry.find("path");
        const Value* paths = entry.find("paths");
        const LocationRules rules{joined_path(root_, (folder ? *folder : *find("datadir")).as_string()),
                                  false, backend == "hocon" ? ".conf" : "." + backend};
        definition.function = backend + "_data";
        definition.options = HashBuilder().build();
        definition.locations =
            resolve_paths(paths ? one_or_more(*paths)
                                : std::vector<std::string>{path ? path->as_string() : definition.name},
                          rules, invocation);
        providers.push_back(std::make_unique<Provider>(std::move(definition), layer));
    }
    return providers;
}

}  // namespace volley::lookup
