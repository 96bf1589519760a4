#include "apply/agent/facts/stdlib.hpp"

#include <nlohmann/json.hpp>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/os_release.hpp"
#include "apply/agent/types/package/provider.hpp"
#include "apply/agent/types/service/provider.hpp"

namespace volley::agent {

Json stdlib_facts() {
    Json facts = Json::object();
    facts["package_provider"] = std::string(default_package_provider(os_release()).name);
    facts["service_provider"] = std::string(default_service_provider(os_release()).name);
    if (const auto root = user_named("root")) facts["root_home"] = root->home;
    return facts;
}

}  // namespace volley::agent
