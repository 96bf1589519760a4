#include "apply/agent/types/service/init.hpp"

#include "apply/agent/machine/files.hpp"

namespace volley::agent {

std::string Init::script() {
    const auto folders = search_folders("/etc/init.d");
    for (const char* end : {"", ".sh"}) {
        for (const std::string& folder : folders) {
            const std::string path = folder + "/" + name() + end;
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
