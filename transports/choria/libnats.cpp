// Loads libnats when the first target of Choria's is reached.
#include "transports/choria/libnats.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

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
    void* const library = ::dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        loaded.fault = ::dlerror();
        return loaded;
    }
#define VOLLEY_RESOLVE(name)                                                                            \
    loaded.functions.name = reinterpret_cast<decltype(loaded.functions.name)>(::dlsym(library, #name)); \
    if (loaded.functions.name == nullptr) loaded.fault = "it has no " #name;
    VOLLEY_LIBNATS(VOLLEY_RESOLVE)
#undef VOLLEY_RESOLVE
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
