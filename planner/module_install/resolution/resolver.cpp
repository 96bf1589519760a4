#include "planner/module_install/resolution/resolver.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "planner/module_install/resolution/solver.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::modules {
namespace {

/// The Forge, but for modules that the project takes from git: of these there is the one version at hand.
class ProjectReleases final : public ReleaseSource {
public:
    ProjectReleases(const std::vector<ModuleSpec>& specs, ModuleSources& sources) : sources_(sources) {
        for (const ModuleSpec& spec : specs) {
            if (!spec.resolve || spec.origin != Origin::Git) continue;
            const Release& release = sources.git_module(spec).release;
            git_.emplace(release.name.name, std::vector<Release>{release});
        }
    }

    const std::vector<Release>& releases(const ModuleName& name) override {
        const auto git = git_.find(name.name);
        return git != git_.end() ? git->second : sources_.forge().releases(name);
    }

    void expect(std::span<const ModuleName> names) override {
        std::vector<ModuleName> others;
        for (const ModuleName& name : names) {
            if (!git_.contains(name.name)) others.push_back(name);
        }
        if (!others.empty()) sources_.forge().expect(others);
    }

    std::string place() const override { return sources_.forge().place(); }

private:
    ModuleSources& sources_;
    std::map<std::string, std::vector<Release>> git_;
};

/// Whatever keeps modules from being resolved is an error of that kind, a server that does not answer
/// included.
std::vector<Release> solved(const std::vector<Wanted>& wanted, ReleaseSource& releases) {
    try {
        return solve(wanted, releases);
    } catch (const Error& error) {
        if (error.info().kind() != "bolt/http-error" && error.info().kind() != "bolt/file-error") throw;
        throw Error("bolt/module-resolver-error", std::string("Unable to resolve modules: ") + error.what());
    }
}

PuppetfileModule resolved_module(const Release& release,
                                 const std::map<std::string, const ModuleSpec*>& git_specs,
                                 ModuleSources& sources) {
    PuppetfileModule module{.name = release.name};
    const auto git = git_specs.find(release.name.name);
    if (git == git_specs.end()) {
        module.version = release.version;
        return module;
    }
    module.kind = PuppetfileModule::Kind::Git;
    module.name.owner.clear();
    module.git = git->second->git;
    module.ref = sources.git_module(*git->second).commit;
    return module;
}

PuppetfileModule unresolved_module(const ModuleSpec& spec) {
    PuppetfileModule module{.name = spec.name};
    if (spec.origin == Origin::Git) {
        module.kind = PuppetfileModule::Kind::Git;
        module.git = spec.git;
        module.ref = spec.ref;
    } else if (spec.version_requirement) {
        // A Puppetfile has exact versions only.
        module.version = parse_version(*spec.version_requirement);
        if (!module.version) {
            throw Error("bolt/validation-error", fmt::format("{}Invalid version for Forge module {}: \"{}\"",
                                                             spec.where.empty() ? "" : spec.where + ": ",
                                                             spec.name.full(), *spec.version_requirement));
        }
    }
    return module;
}

void check_name_conflicts(const Puppetfile& resolved, const std::vector<const ModuleSpec*>& unresolved) {
    std::vector<std::string> conflicts;
    for (const ModuleSpec* spec : unresolved) {
        if (resolved.find(spec->name.name)) conflicts.push_back(spec->name.name);
    }
    if (conflicts.empty()) return;
    throw Error(
        "bolt/module-name-conflict-error",
        fmt::format(
            "Detected unresolved module specifications with the same name as a resolved module dependency: "
            "{}. "
            "Either remove the unresolved module specification or set the module with the conflicting "
            "dependency to not resolve.",
            join(conflicts, ", ")));
}

}  // namespace

Forge& ModuleSources::forge() {
    if (!forge_) forge_ = make_forge(settings_);
    return *forge_;
}

GitRepository& ModuleSources::repository(const std::string& url) {
    auto& repository = repositories_[url];
    if (!repository) repository = std::make_unique<GitRepository>(url, settings_.git_proxy);
    return *repository;
}

const ModuleSources::GitModule& ModuleSources::git_module(const ModuleSpec& spec) {
    const auto known = git_modules_.find({spec.git, spec.ref});
    if (known != git_modules_.end()) return known->second;
    const auto fail = [&](const std::string& reason) {
        throw Error("bolt/missing-module-metadata-error",
                    fmt::format("Unable to locate metadata and calculate SHA for ref {} at {}. This may not "
                                "be a valid module. {}",
                                spec.ref, shown_git_url(spec.git), reason));
    };
    GitModule module;
    GitRepository& from = repository(spec.git);
    std::optional<std::string> text;
    try {
        module.commit = from.fetch(spec.ref);
        text = from.file(module.commit, "metadata.json");
    } catch (const Error& error) {
        fail(error.what());
    }
    if (!text) fail("It has no metadata.json.");
    std::string fault;
    Json metadata = try_parse_json(*text, fault);
    if (metadata.is_discarded()) fail("Its metadata.json is not valid JSON: " + fault + ".");
    if (!metadata.is_object()) fail("Its metadata.json is not a JSON object.");
    const auto version = metadata.find("version");
    const bool has_version =
        version != metadata.end() && version->is_string() && parse_version(version->get<std::string>());
    if (!has_version) metadata["version"] = "0.0.0";  // a module under development may have none yet
    auto release = read_metadata(metadata);
    if (!release) fail("Its metadata.json has no usable 'name'.");
    module.release = *std::move(release);
    if (!spec.name.name.empty()) module.release.name.name = spec.name.name;
    return git_modules_.emplace(std::pair(spec.git, spec.ref), std::move(module)).first->second;
}

Puppetfile resolve_modules(const std::vector<ModuleSpec>& specs, ModuleSources& sources) {
    std::vector<Wanted> wanted;
    std::vector<const ModuleSpec*> unresolved;
    std::map<std::string, const ModuleSpec*> git_specs;
    std::vector<ModuleSpec> named = specs;
    for (ModuleSpec& spec : named) {
        if (!spec.resolve) {
            unresolved.push_back(&spec);
        } else if (spec.origin == Origin::Git) {
            spec.name = sources.git_module(spec).release.name;
            git_specs.emplace(spec.name.name, &spec);
            wanted.push_back({spec.name});
        } else {
            wanted.push_back({spec.name, spec.range});
        }
    }
    check_unique_names(named);
    Puppetfile puppetfile;
    if (!wanted.empty()) {
        ProjectReleases releases(named, sources);
        for (const Release& release : solved(wanted, releases))
            puppetfile.modules.push_back(resolved_module(release, git_specs, sources));
    }
    check_name_conflicts(puppetfile, unresolved);
    for (const ModuleSpec* spec : unresolved) puppetfile.modules.push_back(unresolved_module(*spec));
    return puppetfile;
}

}  // namespace volley::modules
