// An inventory of any bytes: loading it and asking every target for everything ends in data or in an Error.
#include <nlohmann/json.hpp>

#include "inventory/inventory.hpp"
#include "support/error.hpp"
#include "support/log.hpp"

using namespace volley;
using namespace volley::inventory;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    log_to([](const LogRecord&) {}, LogLevel::Fatal);
    ProcessContext process;
    process.environment = [&](std::string_view name) -> std::optional<std::string> {
        if (name != "BOLT_INVENTORY") return std::nullopt;
        return std::string(reinterpret_cast<const char*>(data), size);
    };
    try {
        const auto inventory = Inventory::load(process, Config{}, make_builtin_plugins(process));
        for (Target& target : inventory->resolve("all,*", TargetSyntax::CommandLine)) {
            try {
                target.detail();
                target.to_task_data();
                target.transport_config();
            } catch (const Error&) {
                continue;  // one target's fault is not another's
            }
        }
    } catch (const Error&) {
        return 0;
    }
    return 0;
}
