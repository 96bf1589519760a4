#include "planner/module_install/resolution/release.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/json/json_text.hpp"
#include "support/log.hpp"

namespace volley::modules {
namespace {

constexpr std::size_t most_dependencies = 500;

std::vector<Dependency> read_dependencies(const Json& json, const ModuleName& of) {
    std::vector<Dependency> dependencies;
    const auto list = json.find("dependencies");
    if (list == json.end() || !list->is_array()) return dependencies;
    for (const Json& entry : *list) {
        if (!entry.is_object() || dependencies.size() == most_dependencies) continue;
        const auto name = ModuleName::parse(text_in(entry, "name"));
        const std::string wanted = text_in(entry, "version_requirement");
        const auto range = VersionRequirement::parse(wanted.empty() ? ">= 0" : wanted);
        if (name && range)
            dependencies.push_back({*name, *range});
        else
            log(LogLevel::Debug, "planner.modules",
                "A dependency of " + of.full() + " cannot be read and is left out");
    }
    return dependencies;
}

}  // namespace

void sort_releases(std::vector<Release>& releases) {
    std::stable_sort(releases.begin(), releases.end(), [](const Release& a, const Release& b) {
        const bool a_early = is_prerelease(a.version);
        const bool b_early = is_prerelease(b.version);
        return a_early != b_early ? b_early : compare_versions(a.version, b.version) > 0;
    });
}

std::optional<Release> read_metadata(const Json& json) {
    if (!json.is_object()) return std::nullopt;
    const auto name = ModuleName::parse(text_in(json, "name"));
    const auto version = parse_version(text_in(json, "version"));
    if (!name || !version) return std::nullopt;
    Release release{.name = *name, .version = *version};
    release.dependencies = read_dependencies(json, *name);
    return release;
}

}  // namespace volley::modules
