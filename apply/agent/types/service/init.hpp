#pragma once

#include "apply/agent/types/service/provider.hpp"

namespace volley::agent {

/// A service with an init script, without a place at boot that one could know of.
class Init : public ServiceProvider {
public:
    using ServiceProvider::ServiceProvider;

    std::vector<std::string> names() override;

protected:
    /// The script NAME or NAME.sh; throws ApplyError when there is none.
    std::string script();
    bool has_status() const { return is_set("hasstatus", true); }
    std::vector<std::string> start_command() override { return {script(), "start"}; }
    std::vector<std::string> stop_command() override { return {script(), "stop"}; }
    std::vector<std::string> restart_command() override;
    std::vector<std::string> status_command() override;
};

}  // namespace volley::agent
