#include "apply/agent/types/service/init.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "apply/agent/machine/files.hpp"

namespace volley::agent {
namespace {

/// Scripts beside those of services: `status` would do something else with them, or wait. Difference from
/// Puppet: neither is `rc` asked, which changes the runlevel.
constexpr std::array<std::string_view, 21> other_scripts = {"functions.sh",
                                                            "reboot.sh",
                                                            "shutdown.sh",
                                                            "functions",
                                                            "halt",
                                                            "killall",
                                                            "single",
                                                            "linuxconf",
                                                            "reboot",
                                                            "boot",
                                                            "wait-for-state",
                                                            "portmap-wait",
                                                            "rcS",
                                                            "module-init-tools",
                                                            "plymouth-ready",
                                                            "idmapd-mounting",
                                                            "startpar-bridge",
                                                            "cryptdisks-udev",
                                                            "statd-mounting",
                                                            "gssd-mounting",
                                                            "rc"};

bool is_service_script(const std::string& folder, const std::string& name) {
    if (name.starts_with('.') ||
        std::find(other_scripts.begin(), other_scripts.end(), name) != other_scripts.end())
        return false;
    const std::string path = folder + "/" + name;
    const auto own = file_stat(path, false);
    if (own && own->kind == FileKind::Link && read_link(path) == "/lib/init/upstart-job") return false;
    const auto script = file_stat(path, true);
    return script && script->kind == FileKind::File && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<std::string> Init::names() {
    std::vector<std::string> found;
    for (const std::string& folder : search_folders("/etc/init.d")) {
        if (!is_directory(folder)) continue;
        for (std::string& name : names_in(folder)) {
            if (is_service_script(folder, name)) found.push_back(std::move(name));
        }
    }
    return found;
}

std::string Init::script() {
    const auto folders = search_folders("/etc/init.d");
    for (const char* end : {"", ".sh"}) {
        for (const std::string& folder : folders) {
            std::string path = folder + "/" + name() + end;
            if (is_directory(folder) && file_exists(path)) return path;
        }
    }
    throw ApplyError("Could not find init script for '" + name() + "'");
}

std::vector<std::string> Init::restart_command() {
    if (!is_set("hasrestart", false)) return {};
    return {script(), "restart"};
}

std::vector<std::string> Init::status_command() {
    if (!has_status()) return {};
    return {script(), "status"};
}

const ServiceProviderSpec& init_services() {
    static const ServiceProviderSpec spec{"init",
                                          "Init scripts.",
                                          false,
                                          false,
                                          [] {
                                              return is_directory("/etc/init.d") &&
                                                     os_release().family != "debian" &&
                                                     os_release().family != "redhat";
                                          },
                                          [](const OsRelease&) { return 2; },
                                          make_services_of<Init>};
    return spec;
}

}  // namespace volley::agent
