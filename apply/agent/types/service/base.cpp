#include "apply/agent/types/service/provider.hpp"

namespace volley::agent {

const ServiceProviderSpec& base_services() {
    static const ServiceProviderSpec spec{"base",
                                          "Programs that are started and found in the process table.",
                                          false,
                                          false,
                                          [] { return has_tool("kill"); },
                                          [](const OsRelease&) { return 1; },
                                          make_services_of<ServiceProvider>};
    return spec;
}

}  // namespace volley::agent
