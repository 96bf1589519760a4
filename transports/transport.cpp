#include "transports/transport.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.hpp"
#include "transports/option_tables/option_tables.hpp"

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
    const auto specs = transport_specs();
    const auto found = std::ranges::find(specs, name, &TransportSpec::name);
    return found == specs.end() ? nullptr : &*found;
}

std::unique_ptr<Transport> make_transport(std::string_view name, Runtime& runtime) {
#define VOLLEY_TRANSPORT(known) \
    if (name == #known) return make_##known(runtime);
#include "transports/registry.def"
#undef VOLLEY_TRANSPORT
    if (find_transport(name) == nullptr && find_transport_options(name) != nullptr) {
        throw Error("bolt/unknown-transport", fmt::format("The transport {} is not available in this version yet", name));
    }
    throw Error("bolt/unknown-transport", fmt::format("Unknown transport {}", name));
}

}  // namespace volley::transports
