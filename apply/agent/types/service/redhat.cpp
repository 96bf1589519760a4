#include "apply/agent/types/service/init.hpp"

namespace volley::agent {
namespace {

constexpr const char* chkconfig = "/sbin/chkconfig";
constexpr const char* service_command = "/sbin/service";

/// Init scripts of Red Hat, with chkconfig.
class Redhat final : public Init {
public:
    using Init::Init;

    Value enabled() override {
        const Finished done = attempt({chkconfig, name()});
        bool on = done.exit_code == 0;
        if (on && os_release().family == "suse")
            on = done.output.ends_with(" on") || done.output.ends_with(" B");
        return Value::symbol(on ? "true" : "false");
    }

    void enable() override {
        try {
            tool({chkconfig, "--add", name()});
            tool({chkconfig, name(), "on"});
        } catch (const ApplyError& error) {
            throw ApplyError("Could not enable " + name() + ": " + error.what());
        }
    }

    void disable() override {
        try {
            tool({chkconfig, "--level", "0123456", name(), "off"});
        } catch (const ApplyError& error) {
            throw ApplyError("Could not disable " + name() + ": " + error.what());
        }
    }

protected:
    std::vector<std::string> start_command() override { return {service_command, name(), "start"}; }
    std::vector<std::string> stop_command() override { return {service_command, name(), "stop"}; }
    std::vector<std::string> restart_command() override {
        if (!is_set("hasrestart", false)) return {};
        return {service_command, name(), "restart"};
    }
    std::vector<std::string> status_command() override {
        if (!has_status()) return {};
        return {service_command, name(), "status"};
    }
};

}  // namespace

const ServiceProviderSpec& redhat_services() {
    static const ServiceProviderSpec spec{
        "redhat",
        "Init scripts of Red Hat, by chkconfig and service.",
        true,
        false,
        [] { return has_tool(chkconfig) && has_tool(service_command); },
        [](const OsRelease& system) { return system.family == "redhat" ? 50 : 3; },
        make_services_of<Redhat>};
    return spec;
}

}  // namespace volley::agent
