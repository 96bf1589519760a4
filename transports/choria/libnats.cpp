// Loads libnats when the first target of Choria's is reached.
#include "transports/choria/libnats.hpp"

#include <fmt/format.h>

#include <string>

#include "support/dynamic_library.hpp"
#include "transports/errors.hpp"

namespace volley::transports::choria {
namespace {

constexpr const char* file_name = "libnats.so.3.4";

struct Loaded {
    Libnats functions;
    std::string fault;
};

Loaded load() {
    Loaded loaded;
    DynamicLibrary library(file_name);
#define VOLLEY_RESOLVE(name) library.find(loaded.functions.name, #name);
    VOLLEY_LIBNATS(VOLLEY_RESOLVE)
#undef VOLLEY_RESOLVE
    loaded.fault = library.fault();
    return loaded;
}

}  // namespace

const Libnats& libnats() {
    static const Loaded loaded = load();
    if (!loaded.fault.empty())
        throw TransportError("bolt/choria-config-failed",
                             fmt::format("Choria needs {} (Debian's package libnats3.4), which could not be "
                                         "loaded: {}",
                                         file_name, loaded.fault));
    return loaded.functions;
}

}  // namespace volley::transports::choria
