#include "transports/transport.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::transports {

#define VOLLEY_TRANSPORT(name)   \
    TransportSpec name##_spec(); \
    std::unique_ptr<Transport> make_##name(Runtime& runtime);
#include "transports/registry.def"
#undef VOLLEY_TRANSPORT

std::span<const TransportSpec> transport_specs() {
    static const std::vector<TransportSpec> specs{
#define VOLLEY_TRANSPORT(name) name##_spec(),
#include "transports/registry.def"
#undef VOLLEY_TRANSPORT
    };
    return specs;
}

const TransportSpec* find_transport(std::string_view name) {
    const auto found = std::ranges::find(transport_specs(), name, &TransportSpec::name);
    return found == transport_specs().end() ? nullptr : &*found;
}

const std::vector<std::string>& known_transport_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const TransportSpec& spec : transport_specs()) all.emplace_back(spec.name);
        std::ranges::sort(all);
        return all;
    }();
    return names;
}

std::string_view default_transport() { return transport_specs().front().name; }

std::string_view controller_transport() {
    return std::ranges::find(transport_specs(), true, &TransportSpec::runs_on_controller)->name;
}

std::unique_ptr<Transport> make_transport(std::string_view name, Runtime& runtime) {
#define VOLLEY_TRANSPORT(known) \
    if (name == #known) return make_##known(runtime);
#include "transports/registry.def"
#undef VOLLEY_TRANSPORT
    const std::string meant = did_you_mean(name, known_transport_names());
    throw Error("bolt/unknown-transport",
                fmt::format("Unknown transport {}{}{}", name, meant.empty() ? "" : ".", meant));
}

}  // namespace volley::transports
