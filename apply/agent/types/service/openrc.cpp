#include "apply/agent/types/service/openrc.hpp"

#include "apply/agent/types/service/provider.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr const char* rc_status = "/bin/rc-status";
constexpr const char* rc_service = "/sbin/rc-service";
constexpr const char* rc_update = "/sbin/rc-update";

/// A service of OpenRC.
class OpenRc final : public ServiceProvider {
public:
    using ServiceProvider::ServiceProvider;

    std::vector<std::string> names() override {
        std::vector<std::string> found;
        for (const std::string& line : split(tool({rc_service, "-C", "--list"}), '\n')) {
            if (const std::string_view name = trim(line); !name.empty()) found.emplace_back(name);
        }
        return found;
    }
    Value enabled() override {
        return Value::symbol(is_in_openrc_runlevel(tool({rc_status, "-C", "-a"}), name()) ? "true" : "false");
    }
    void enable() override { tool({rc_update, "-C", "add", name()}); }
    void disable() override { tool({rc_update, "-C", "del", name()}); }

protected:
    std::vector<std::string> start_command() override { return {rc_service, name(), "start"}; }
    std::vector<std::string> stop_command() override { return {rc_service, name(), "stop"}; }
    std::vector<std::string> restart_command() override {
        if (!is_set("hasrestart", false)) return {};
        return {rc_service, name(), "restart"};
    }
    std::vector<std::string> status_command() override {
        if (!is_set("hasstatus", true)) return {};
        return {rc_service, name(), "status"};
    }
};

}  // namespace

bool is_in_openrc_runlevel(std::string_view output, std::string_view name) {
    bool in_runlevel = false;
    for (const std::string& line : split(output, '\n')) {
        if (line.empty()) continue;
        if (line[0] != ' ' && line[0] != '\t') {
            in_runlevel = line.starts_with("Runlevel: ");
            continue;
        }
        const auto open = line.find('[');
        if (open != std::string::npos && trim(std::string_view(line).substr(0, open)) == name)
            return in_runlevel;
    }
    return false;
}

const ServiceProviderSpec& openrc_services() {
    static const ServiceProviderSpec spec{
        "openrc",
        "Services of OpenRC.",
        true,
        false,
        [] { return has_tool(rc_status) && has_tool(rc_service) && has_tool(rc_update); },
        [](const OsRelease& system) { return system.family == "gentoo" ? 100 : 3; },
        make_services_of<OpenRc>};
    return spec;
}

}  // namespace volley::agent
