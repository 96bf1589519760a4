#include "apply/agent/types/package/package.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "apply/agent/types/parameters.hpp"
#include "support/text.hpp"

namespace volley::agent {

#define VOLLEY_PACKAGE_PROVIDER(name) const PackageProviderSpec& name##_packages();
#include "apply/agent/types/package/registry.def"
#undef VOLLEY_PACKAGE_PROVIDER

namespace {

using Kind = Attribute::Kind;
using Feature = PackageFeature;

bool is_gone(const Value& state) { return state == absent() || state == Value::symbol("purged"); }

const PackageProviderSpec& spec_for(const Resource& resource) {
    const std::string given = resource.text("provider");
    if (given.empty()) return default_package_provider(os_release());
    std::vector<std::string> names;
    for (const PackageProviderSpec* spec : all_package_providers()) {
        if (spec->name == given) return *spec;
        names.emplace_back(spec->name);
    }
    throw ApplyError(resource.reference() + ": the agent has no provider '" + given +
                     "' for packages, only " + join(names, ", "));
}

}  // namespace

std::vector<const PackageProviderSpec*> all_package_providers() {
    return {
#define VOLLEY_PACKAGE_PROVIDER(name) &name##_packages(),
#include "apply/agent/types/package/registry.def"
#undef VOLLEY_PACKAGE_PROVIDER
    };
}

const PackageProviderSpec& default_package_provider(const OsRelease& system) {
    const auto all = all_package_providers();
    const Resource nothing;
    for (const PackageProviderSpec* spec : all) {
        if (spec->is_default != nullptr && spec->is_default(system)) return *spec;
    }
    for (const PackageProviderSpec* spec : all) {
        if (spec->suitable(nothing)) return *spec;
    }
    return *all.front();
}

PackageProvider* package_provider_of(const Resource& resource) {
    auto* package = dynamic_cast<Package*>(resource.instance.get());
    return package == nullptr ? nullptr : &package->manager();
}

void Package::prepare() {
    spec_ = &spec_for(resource_);
    ensure_ = resource_.text("ensure", "present");
    if (ensure_ == "installed") ensure_ = "present";
    if (ensure_.empty())
        throw invalid_parameter(resource_, "ensure", "present, absent, purged, disabled, latest", "/./");
    check_ensure();
    for (const auto& [attribute, feature, word] :
         {std::tuple("mark", Feature::Hold, "holdable"),
          std::tuple("install_options", Feature::InstallOptions, "install_options"),
          std::tuple("uninstall_options", Feature::UninstallOptions, "uninstall_options"),
          std::tuple("allow_virtual", Feature::VirtualPackages, "virtual_packages"),
          std::tuple("install_only", Feature::InstallOnly, "install_only"),
          std::tuple("command", Feature::Target, "targetable")}) {
        if (!spec_->has(feature)) leave_unmanaged(run_, resource_, provider(), word, attribute);
    }
    leave_unmanaged(run_, resource_, provider(), "supports_flavors", "flavor");
    leave_unmanaged(run_, resource_, provider(), "package_settings", "package_settings");
    mark_ = word_parameter(resource_, "mark", "hold, none");
    if (!mark_.empty() && (ensure_ == "absent" || ensure_ == "purged"))
        throw ApplyError(
            "Validation of " + resource_.reference() +
            " failed: You cannot use \"mark\" property while \"ensure\" is one of [\"absent\", \"purged\"]");
    for (const char* name : {"allow_virtual", "install_only", "enable_only"})
        boolean_parameter(resource_, name, false);
    manager_ = spec_->make(resource_, run_);
}

void Package::check_ensure() const {
    const char* feature = nullptr;
    if (ensure_ == "disabled") {
        feature = "disableable";
    } else if (ensure_ == "purged") {
        if (!spec_->has(Feature::Purge)) feature = "purgeable";
    } else if (ensure_ == "latest") {
        if (!spec_->has(Feature::Latest)) feature = "upgradeable";
    } else if (ensure_ != "present" && ensure_ != "absent" && !spec_->has(Feature::Versions)) {
        feature = "versionable";
    }
    if (feature != nullptr)
        throw parameter_error(resource_, "ensure",
                              "Provider " + std::string(provider()) + " must have features '" + feature +
                                  "' to set 'ensure' to '" + ensure_ + "'");
}

void Package::prefetch() {
    if (!spec_->has(Feature::Target)) return manager_->prefetch();
    std::set<std::string> commands;
    for (const auto& resource : run_.catalog.resources()) {
        auto* other = dynamic_cast<Package*>(resource->instance.get());
        if (other == nullptr || other->spec_ != spec_ || !other->suitable()) continue;
        if (commands.insert(other->resource_.text("command")).second) other->manager_->prefetch();
    }
}

Current Package::retrieve() {
    state_ = manager_->query();
    if (state_.ensure == absent() && spec_->has(Feature::Purge) && state_.mark.empty())
        state_.ensure = Value::symbol("purged");
    Current current;
    current.set("ensure", state_.ensure);
    if (!mark_.empty() || (reads("mark") && !is_gone(state_.ensure)))
        current.set("mark", Value::symbol(state_.mark));
    return current;
}

std::vector<Wanted> Package::wanted() {
    std::string event;
    if (ensure_ == "present") event = "package_installed";
    if (ensure_ == "absent") event = "package_removed";
    if (ensure_ == "purged") event = "package_purged";
    const bool word = !event.empty() || ensure_ == "latest";
    std::vector<Wanted> list{want("ensure", word ? Value::symbol(ensure_) : Value(ensure_), false, event)};
    if (!mark_.empty()) list.push_back(want("mark", Value::symbol(mark_)));
    return list;
}

bool Package::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "mark") return current == wanted.value;
    if (ensure_ == "present") return !is_gone(current);
    if (ensure_ == "absent") return is_gone(current);
    if (ensure_ == "purged") return current == wanted.value;
    if (is_gone(current)) return false;
    std::vector<std::string> versions;
    if (current.is(Value::Kind::Array)) {
        for (const Value& one : current.items()) versions.push_back(one.to_text());
    } else {
        versions.push_back(current.to_text());
    }
    const auto any = [&](const auto& fits) { return std::any_of(versions.begin(), versions.end(), fits); };
    if (ensure_ == "latest") {
        try {
            latest_ = manager_->latest();
        } catch (const ApplyError& error) {
            throw ApplyError(std::string("Could not get latest version: ") + error.what());
        }
        return any([&](const std::string& one) { return one == latest_; });
    }
    return any([&](const std::string& one) { return one == ensure_ || manager_->fits(one); });
}

std::string Package::shown_wanted(const Wanted& wanted) {
    return wanted.name == "ensure" && !latest_.empty() ? puppet_quoted(latest_) : wanted.value.shown();
}

std::string Package::change_text(const Wanted& wanted, const Value& current) {
    if (wanted.name == "mark") return Instance::change_text(wanted, current);
    if (ensure_ == "purged") return "purged";
    if (is_gone(current) && ensure_ != "absent") return "created";
    return Instance::change_text(wanted, current);
}

void Package::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "mark") return manager_->hold(mark_ == "hold");
    if (ensure_ == "absent") return manager_->uninstall(state_);
    if (ensure_ == "purged") return manager_->purge(state_);
    if (ensure_ == "present") return manager_->install(state_);
    try {
        manager_->install(state_);
    } catch (const ApplyError& error) {
        throw ApplyError(std::string("Could not update: ") + error.what());
    }
}

std::vector<Autorelation> Package::autorelations() {
    std::vector<Autorelation> list;
    for (const char* name : {"responsefile", "adminfile", "source"}) {
        const std::string path = resource_.text(name);
        if (path.starts_with('/')) list.push_back({Autorelation::Kind::Require, "File", path});
    }
    return list;
}

namespace {

constexpr std::string_view package_providers =
#define VOLLEY_PACKAGE_PROVIDER(name) #name " "
#include "apply/agent/types/package/registry.def"
#undef VOLLEY_PACKAGE_PROVIDER
    ;

constexpr std::array<Attribute, 24> package_attributes = {
    {{"name", Kind::Namevar, "String", "Its name."},
     {"ensure", Kind::Property, "Variant[Enum[present, absent, purged, disabled, installed, latest], String]",
      "present, absent, purged (with its configuration), latest, a version, or a range such as \">=1.0 "
      "<2.0\" (present)."},
     {"mark", Kind::Property, "Enum[hold, none]", "Whether upgrades are held back; of apt and dpkg."},
     {"source", Kind::Parameter, "String", "Where it comes from: a file or an address."},
     {"install_options", Kind::Parameter, "Array",
      "Further options for installing: texts, or hashes of option and value."},
     {"uninstall_options", Kind::Parameter, "Array", "Further options for removing."},
     {"responsefile", Kind::Parameter, "String", "A file with answers for debconf."},
     {"configfiles", Kind::Parameter, "Enum[keep, replace]",
      "Whether changed configuration files stay (keep); of apt and dpkg."},
     {"allowcdrom", Kind::Parameter, "Boolean", "Whether packages may come from a CD (false); of apt."},
     {"allow_virtual", Kind::Parameter, "Boolean", "Whether a name that packages provide will do (true)."},
     {"install_only", Kind::Parameter, "Boolean",
      "Whether versions are added rather than replaced (false); of rpm, yum and dnf."},
     {"command", Kind::Parameter, "String",
      "The program of the package manager, where it is not the usual one; of gem, pip and npm."},
     {"reinstall_on_refresh", Kind::Parameter, "Boolean", "Left alone: none of the providers can."},
     {"adminfile", Kind::Parameter, "String", "A file with answers, on Solaris."},
     {"category", Kind::Parameter, "String", "Only read."},
     {"description", Kind::Parameter, "String", "Only read."},
     {"enable_only", Kind::Parameter, "Boolean", "Of modules of dnf, which the agent does not manage."},
     unsupported({"flavor", Kind::Property, "String", "Of modules of dnf and of OpenBSD."}),
     {"instance", Kind::Parameter, "String", "Only read."},
     unsupported({"package_settings", Kind::Property, "Any", "Of FreeBSD."}),
     {"platform", Kind::Parameter, "String", "Only read."},
     {"root", Kind::Parameter, "String", "Only read."},
     {"status", Kind::Parameter, "String", "Only read."},
     {"vendor", Kind::Parameter, "String", "Only read."}}};

/// The packages of one manager that `seen` does not have yet; false when the machine does not have it.
bool add_packages_of(const PackageProviderSpec& spec, Run& run, std::set<std::string>& seen,
                     std::vector<std::unique_ptr<Resource>>& found) {
    auto probe = found_resource("package", "all");
    probe->set("provider", text_value(spec.name));
    if (!spec.suitable(*probe)) return false;
    for (std::string& name : spec.make(*probe, run)->names()) {
        if (!seen.insert(name).second) continue;
        auto package = found_resource("package", std::move(name));
        package->set("provider", text_value(spec.name));
        found.push_back(std::move(package));
    }
    return true;
}

/// The packages of all managers that there are; of several with one name that of the system's own counts.
std::vector<std::unique_ptr<Resource>> packages_found(Run& run) {
    auto specs = all_package_providers();
    const PackageProviderSpec* own = &default_package_provider(os_release());
    std::stable_partition(specs.begin(), specs.end(), [own](const auto* spec) { return spec == own; });
    std::vector<std::unique_ptr<Resource>> found;
    std::set<std::string> seen;
    std::set<std::string_view> sources;
    for (const PackageProviderSpec* spec : specs) {
        if (!spec->source.empty() && sources.contains(spec->source)) continue;
        try {
            if (add_packages_of(*spec, run, seen, found)) sources.insert(spec->source);
        } catch (const ApplyError& error) {
            run.log(Level::Warning,
                    "The packages of " + std::string(spec->name) + " cannot be listed: " + error.what());
        }
    }
    return found;
}

}  // namespace

const TypeSpec& package_type() {
    static const TypeSpec spec{"package",
                               "A package, by the package manager of the machine or one of a language.",
                               package_providers,
                               package_attributes,
                               make_instance_of<Package>,
                               packages_found,
                               false};
    return spec;
}

}  // namespace volley::agent
