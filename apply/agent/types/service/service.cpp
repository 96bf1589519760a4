#include <algorithm>
#include <array>

#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/service/provider.hpp"
#include "support/text.hpp"

namespace volley::agent {

#define VOLLEY_SERVICE_PROVIDER(name) const ServiceProviderSpec& name##_services();
#include "apply/agent/types/service/registry.def"
#undef VOLLEY_SERVICE_PROVIDER

namespace {

using Kind = Attribute::Kind;

/// The type `service`.
class Service final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return spec_->name; }
    bool suitable() override { return spec_->suitable(); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;
    bool can_refresh() const override { return true; }
    void refresh() override;

private:
    const ServiceProviderSpec& choose();
    void check_enable() const;
    void set_enabled();

    const ServiceProviderSpec* spec_ = nullptr;
    std::unique_ptr<ServiceProvider> manager_;
    std::string ensure_, enable_;  // empty: not given
};

const ServiceProviderSpec& Service::choose() {
    const std::string given = resource_.text("provider");
    const ServiceProviderSpec& usual = default_service_provider(os_release());
    // Compatibility: both are equally good to Puppet, which warns about that, whatever the resource says.
    if (usual.name == "debian" && has_tool("/usr/bin/sv"))
        run_.warn_once("Found multiple default providers for service: debian, runit; using debian");
    if (given.empty()) return usual;
    std::vector<std::string> names;
    for (const ServiceProviderSpec* spec : all_service_providers()) {
        if (spec->name == given) return *spec;
        names.emplace_back(spec->name);
    }
    throw ApplyError(resource_.reference() + ": the agent has no provider '" + given +
                     "' for services, only " + join(names, ", "));
}

void Service::check_enable() const {
    const auto lacks = [this](const char* feature) {
        return parameter_error(resource_, "enable",
                               "Provider " + std::string(provider()) + " must have features '" + feature +
                                   "' to set 'enable' to '" + enable_ + "'");
    };
    if (enable_ == "manual") throw lacks("manual_startable");
    if (enable_ == "delayed") throw lacks("delayed_startable");
    if (enable_ == "mask" && !spec_->can_mask) throw lacks("maskable");
    if (resource_.find("enable") != nullptr && enable_ != "true" && enable_ != "false" && enable_ != "mask")
        throw invalid_parameter(resource_, "enable", "true, false, manual, mask, delayed");
}

void Service::prepare() {
    spec_ = &choose();
    ensure_ = resource_.text("ensure");
    if (ensure_ == "true") ensure_ = "running";
    if (ensure_ == "false") ensure_ = "stopped";
    if (resource_.find("ensure") != nullptr && ensure_ != "running" && ensure_ != "stopped")
        throw invalid_parameter(resource_, "ensure", "stopped, running");
    if (!spec_->can_enable) leave_unmanaged(run_, resource_, provider(), "enableable", "enable");
    enable_ = resource_.text("enable");
    check_enable();
    for (const char* name : {"hasstatus", "hasrestart"}) true_or_false(resource_, name, true);
    for (const auto& [attribute, feature] :
         {std::pair("flags", "flaggable"), std::pair("logonaccount", "manages_logon_credentials"),
          std::pair("logonpassword", "manages_logon_credentials"),
          std::pair("timeout", "configurable_timeout")})
        leave_unmanaged(run_, resource_, provider(), feature, attribute);
    manager_ = spec_->make(resource_, run_);
}

Current Service::retrieve() {
    Current current;
    if (reads("ensure")) current.set("ensure", Value::symbol(manager_->is_running() ? "running" : "stopped"));
    if (reads("enable")) {
        // What can only be asked of a service that can be enabled is not asked of others.
        current.set("enable", spec_->can_enable ? manager_->enabled() : absent());
    }
    return current;
}

std::vector<Wanted> Service::wanted() {
    std::vector<Wanted> list;
    if (!enable_.empty())
        list.push_back(want("enable", Value::symbol(enable_), false,
                            enable_ == "true" ? "service_enabled" : "service_disabled"));
    if (!ensure_.empty()) {
        list.push_back(want("ensure", Value::symbol(ensure_), false,
                            ensure_ == "running" ? "service_started" : "service_stopped"));
        list.back().invalidates_refreshes = ensure_ == "running";
    }
    return list;
}

bool Service::in_sync(Wanted& wanted, const Value& current) {
    return wanted.name == "enable" ? manager_->enable_in_sync(enable_, current) : current == wanted.value;
}

void Service::set_enabled() {
    if (enable_ == "true") return manager_->enable();
    if (enable_ == "mask") return manager_->mask();
    manager_->disable();
}

void Service::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "enable") return set_enabled();
    if (ensure_ == "running")
        manager_->start();
    else
        manager_->stop();
    if (enable_.empty()) return;
    // Compatibility: with its state a service gets its place at boot, without an event.
    run_.touch();
    if (!manager_->enable_in_sync(enable_, manager_->enabled())) set_enabled();
}

void Service::refresh() {
    if (manager_->is_running())
        manager_->restart();
    else
        run_.log(Level::Debug, resource_, "Skipping restart; service is not running");
}

constexpr std::string_view service_providers =
#define VOLLEY_SERVICE_PROVIDER(name) #name " "
#include "apply/agent/types/service/registry.def"
#undef VOLLEY_SERVICE_PROVIDER
    ;

constexpr std::array<Attribute, 18> service_attributes = {
    {{"name", Kind::Namevar, "String", "The name of the service; with systemd that of the unit."},
     {"ensure", Kind::Property, "Variant[Enum[stopped, running], Boolean]", "Whether it should be running."},
     {"enable", Kind::Property, "Variant[Boolean, Enum[manual, mask, delayed]]",
      "Whether it starts at boot; mask is of systemd."},
     {"start", Kind::Parameter, "Variant[String, Array[String]]", "A command that starts it."},
     {"stop", Kind::Parameter, "Variant[String, Array[String]]", "A command that stops it."},
     {"restart", Kind::Parameter, "Variant[String, Array[String]]", "A command that restarts it."},
     {"status", Kind::Parameter, "Variant[String, Array[String]]",
      "A command that succeeds when the service runs."},
     {"hasstatus", Kind::Parameter, "Boolean", "Whether its init script reports its state (true)."},
     {"hasrestart", Kind::Parameter, "Boolean", "Whether its init script can restart it."},
     {"pattern", Kind::Parameter, "String",
      "What its line in the process table matches, where there is no status; its name when it is not given."},
     {"binary", Kind::Parameter, "String", "The program, where nothing else starts it."},
     {"path", Kind::Parameter, "Variant[String, Array[String]]",
      "Folders with init scripts, or with services of runit."},
     {"control", Kind::Parameter, "String", "Of HP-UX."},
     {"manifest", Kind::Parameter, "String", "A command that makes a service of runit."},
     {"timeout", Kind::Parameter, "Integer", "Of Windows."},
     unsupported({"flags", Kind::Property, "String", "Of OpenBSD."}),
     unsupported({"logonaccount", Kind::Property, "String", "Of Windows."}),
     {"logonpassword", Kind::Parameter, "String", "Of Windows."}}};

/// The services of all that starts some; of several with one name that of the machine's own counts.
std::vector<std::unique_ptr<Resource>> services_found(Run& run) {
    auto specs = all_service_providers();
    const ServiceProviderSpec* own = &default_service_provider(os_release());
    std::stable_partition(specs.begin(), specs.end(), [own](const auto* spec) { return spec == own; });
    std::vector<std::unique_ptr<Resource>> found;
    for (const ServiceProviderSpec* spec : specs) {
        if (!spec->suitable()) continue;
        auto probe = found_resource("service", "all");
        for (std::string& name : spec->make(*probe, run)->names()) {
            auto service = found_resource("service", std::move(name));
            service->set("provider", text_value(spec->name));
            found.push_back(std::move(service));
        }
    }
    return found;
}

}  // namespace

std::vector<const ServiceProviderSpec*> all_service_providers() {
    return {
#define VOLLEY_SERVICE_PROVIDER(name) &name##_services(),
#include "apply/agent/types/service/registry.def"
#undef VOLLEY_SERVICE_PROVIDER
    };
}

const ServiceProviderSpec& default_service_provider(const OsRelease& system) {
    const auto all = all_service_providers();
    const ServiceProviderSpec* best = all.front();
    int highest = -1;
    for (const ServiceProviderSpec* spec : all) {
        const int rank = spec->suitable() ? spec->rank(system) : 0;
        if (rank > highest) {
            highest = rank;
            best = spec;
        }
    }
    return *best;
}

const TypeSpec& service_type() {
    static const TypeSpec spec{"service",
                               "A service, by the init system of the machine.",
                               service_providers,
                               service_attributes,
                               make_instance_of<Service>,
                               services_found,
                               false};
    return spec;
}

}  // namespace volley::agent
