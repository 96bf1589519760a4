// What comes from Volley when its frames have been put together, any bytes: a catalog, or settings and what
// is wanted, are read or refused with a reason. No message shows what is Sensitive in a catalog that was
// read.
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "apply/agent/catalog/catalog.hpp"
#include "apply/agent/protocol/orders.hpp"
#include "apply/agent/transaction/secrets.hpp"

using namespace volley::agent;

namespace {

void read_as_catalog(std::string_view text) {
    const Catalog catalog = read_catalog(text);
    const Secrets secrets(catalog);
    for (const auto& resource : catalog.resources()) {
        static_cast<void>(resource->path());
        for (const std::string& name : resource->sensitive) {
            const Value* value = resource->find(name);
            if (value == nullptr || !value->is(Value::Kind::String)) continue;
            const std::string& secret = value->text();
            if (secret.size() < 4 || secret.size() > 4096 ||
                secret.find_first_of(" \t\r\n\f\v") != secret.npos)
                continue;
            if (secrets.redacted("<" + secret + ">").find(secret) != std::string::npos &&
                std::string_view("<[redacted]>").find(secret) == std::string_view::npos)
                std::abort();
        }
    }
}

void read_as_orders(std::string_view text) {
    const Orders orders(text);
    const double seconds = orders.lock_wait();
    if (!(seconds >= 0 && seconds <= 86400)) std::abort();
    static_cast<void>(orders.settings());
    static_cast<void>(orders.facts());
    for (const auto& [path, file] : orders.offered_files()) {
        if (file.mode > 07777U) std::abort();
    }
    static_cast<void>(orders.wanted_resources());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        data[0] == 'c' ? read_as_catalog(text) : read_as_orders(text);
    } catch (const std::exception& error) {
        if (*error.what() == '\0') std::abort();
    }
    return 0;
}
