// Loads libarchive when the first archive is read or written.
#include "support/archive/libarchive.hpp"

#include <fmt/format.h>

#include <string>

#include "support/dynamic_library.hpp"
#include "support/error.hpp"

namespace volley {
namespace {

constexpr const char* libarchive_file = "libarchive.so.13";

struct LoadedLibarchive {
    Libarchive functions;
    std::string fault;
};

LoadedLibarchive load_libarchive() {
    LoadedLibarchive loaded;
    DynamicLibrary library(libarchive_file);
#define VOLLEY_RESOLVE(name) library.find(loaded.functions.name, #name);
    VOLLEY_LIBARCHIVE(VOLLEY_RESOLVE)
#undef VOLLEY_RESOLVE
    loaded.fault = library.fault();
    return loaded;
}

}  // namespace

const Libarchive& libarchive() {
    static const LoadedLibarchive loaded = load_libarchive();
    if (!loaded.fault.empty())
        throw Error(
            "bolt/archive-error",
            fmt::format("Archives need {} (Debian's package libarchive13), which could not be loaded: {}",
                        libarchive_file, loaded.fault));
    return loaded.functions;
}

}  // namespace volley
