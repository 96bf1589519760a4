#include "planner/module_install/puppetfile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.hpp"
#include "support/text/escapes.hpp"

namespace volley::modules {
namespace {

constexpr std::string_view puppetfile_heading =
    "# This Puppetfile is managed by Volley. Do not edit.\n"
    "# `volley module add` and `volley module install --force` write it; `modules` in bolt-project.yaml says "
    "what for.\n"
    "\n"
    "# The following directive installs modules to the managed moduledir.\n"
    "moduledir '.modules'\n"
    "\n";

constexpr std::string_view overwrite_hint =
    "\n\nThis Puppetfile might not be managed by Volley. To forcibly overwrite the\n"
    "Puppetfile, run 'volley module install --force'.";

bool is_satisfied_by(const ModuleSpec& spec, const PuppetfileModule& module) {
    if (spec.origin == Origin::Git)
        return module.kind == PuppetfileModule::Kind::Git && module.git == spec.git;
    return module.kind == PuppetfileModule::Kind::Forge && module.name.name == spec.name.name &&
           module.name.same_owner(spec.name) && module.version && spec.range.includes(*module.version);
}

}  // namespace

std::string PuppetfileModule::to_text() const {
    const std::string title = "mod " + backslash_quoted(name.full(), '\'');
    switch (kind) {
        case Kind::Git:
            return title + ",\n  git: " + backslash_quoted(git, '\'') +
                   ",\n  ref: " + backslash_quoted(ref, '\'') + "\n";
        case Kind::Local:
            return title + ", local: true\n";
        case Kind::Forge:
            break;
    }
    if (version) return title + ", " + backslash_quoted(version_text(*version), '\'') + "\n";
    return title + (latest ? ", :latest\n" : "\n");
}

ModuleSpec PuppetfileModule::to_spec() const {
    ModuleSpec spec{.name = name};
    if (kind == Kind::Git) {
        spec.origin = Origin::Git;
        spec.git = git;
        spec.ref = ref;
    } else if (version) {
        spec.version_requirement = version_text(*version);
        spec.range = VersionRequirement::parse(*spec.version_requirement).value_or(VersionRequirement());
    }
    return spec;
}

std::string Puppetfile::to_text(bool managed) const {
    std::string text(managed ? puppetfile_heading : "");
    for (const PuppetfileModule& module : modules) text += module.to_text();
    return text;
}

const PuppetfileModule* Puppetfile::find(std::string_view name) const {
    const auto found = std::find_if(modules.begin(), modules.end(), [name](const PuppetfileModule& module) {
        return module.name.name == name;
    });
    return found == modules.end() ? nullptr : &*found;
}

void check_puppetfile_satisfies(const Puppetfile& puppetfile, const std::vector<ModuleSpec>& specs) {
    std::string missing;
    for (const ModuleSpec& spec : specs) {
        const bool satisfied =
            std::any_of(puppetfile.modules.begin(), puppetfile.modules.end(),
                        [&spec](const auto& module) { return is_satisfied_by(spec, module); });
        if (!satisfied) missing += spec.to_yaml();
    }
    if (!missing.empty()) {
        missing.pop_back();
        throw Error("bolt/missing-module-specs",
                    "Puppetfile does not include modules that satisfy the following specifications:\n\n" +
                        missing + std::string(overwrite_hint));
    }
    std::string without_version;
    for (const PuppetfileModule& module : puppetfile.modules) {
        if (module.kind == PuppetfileModule::Kind::Forge && !module.version)
            without_version += module.to_text();
    }
    if (without_version.empty()) return;
    without_version.pop_back();
    throw Error("bolt/missing-module-version-specs",
                "Puppetfile includes Forge modules without a version requirement:\n\n" + without_version +
                    std::string(overwrite_hint));
}

}  // namespace volley::modules
