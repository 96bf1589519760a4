#include "apply/agent/types/package/versions.hpp"
#include "apply/agent/types/service/init.hpp"

namespace volley::agent {
namespace {

constexpr const char* update_rc = "/usr/sbin/update-rc.d";
constexpr const char* service_tool = "/usr/sbin/service";

/// Init scripts of Debian, with their links in /etc/rc?.d.
class Debian final : public Init {
public:
    using Init::Init;

    Value enabled() override { return Value::symbol(debian_starts_at_boot(run_, name()) ? "true" : "false"); }

    void enable() override {
        tool({update_rc, "-f", name(), "remove"});
        tool({update_rc, name(), "defaults"});
    }

    void disable() override {
        const Finished version = attempt({"dpkg-query", "-W", "--showformat", "${Version}", "sysv-rc"});
        if (version.exit_code == 0 && debian_versions.is_version(version.output) &&
            debian_versions.compare(version.output, "2.88") >= 0) {
            tool({update_rc, name(), "disable"});
            return;
        }
        tool({update_rc, "-f", name(), "remove"});
        tool({update_rc, name(), "stop", "00", "1", "2", "3", "4", "5", "6", "."});
    }

protected:
    std::vector<std::string> status_command() override {
        if (!has_status()) return {};
        return {service_tool, name(), "status"};
    }
};

}  // namespace

const ServiceProviderSpec& debian_services() {
    static const ServiceProviderSpec spec{
        "debian",
        "Init scripts of Debian, by update-rc.d and invoke-rc.d.",
        true,
        false,
        [] {
            return has_tool(update_rc) && has_tool("/usr/sbin/invoke-rc.d") && has_tool(service_tool) &&
                   !is_booted_with_systemd();
        },
        [](const OsRelease& system) { return system.family == "debian" ? 50 : 3; },
        make_services_of<Debian>};
    return spec;
}

}  // namespace volley::agent
