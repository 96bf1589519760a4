#include "transports/option_tables/option_tables.hpp"

#include <algorithm>
#include <array>

namespace volley::transports {
namespace {

const std::array<TransportSpec, 6>& tables() {
    static const std::array<TransportSpec, 6> specs{choria_options(), docker_options(), jail_options(),
                                                    lxd_options(),    podman_options(), winrm_options()};
    return specs;
}

}  // namespace

const TransportSpec* find_transport_options(std::string_view name) {
    if (const TransportSpec* spec = find_transport(name)) return spec;
    const auto found = std::ranges::find(tables(), name, &TransportSpec::name);
    return found == tables().end() ? nullptr : &*found;
}

const std::vector<std::string>& known_transport_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const TransportSpec& spec : transport_specs()) all.emplace_back(spec.name);
        for (const TransportSpec& spec : tables()) all.emplace_back(spec.name);
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }();
    return names;
}

}  // namespace volley::transports
