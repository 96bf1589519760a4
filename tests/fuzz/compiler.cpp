// Any text compiles to a catalog or ends in an error, within the limits.
#include <cstddef>
#include <cstdint>
#include <string>

#include "apply/catalog/catalog.hpp"
#include "apply/compiler/compile.hpp"
#include "language/errors.hpp"

#include <nlohmann/json.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    volley::CompileRequest request;
    request.manifests.push_back({std::string(reinterpret_cast<const char*>(data), size), ""});
    request.limits.resources = 2000;
    request.limits.generations = 50;
    request.limits.collector_steps = 100'000;
    volley::LanguageHost host;
    try {
        const volley::Compilation result = volley::compile(request, host);
        static_cast<void>(volley::catalog_to_json(result.catalog).dump(-1, ' ', false,
                                                                       volley::Json::error_handler_t::replace));
    } catch (const volley::LanguageError&) {
    }
    return 0;
}
