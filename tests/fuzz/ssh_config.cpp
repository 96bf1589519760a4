// ssh_config of any bytes: parsing, resolution for a few hosts, tokens, jump hosts and algorithm lists.
#include "transports/ssh/config/ssh_config.hpp"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "support/error.hpp"
#include "support/log.hpp"

using namespace volley;
using namespace volley::transports::ssh;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    log_to([](const LogRecord&) {}, LogLevel::Fatal);  // what nobody listens to is kept
    const std::string text(reinterpret_cast<const char*>(data), size);
    ConfigIdentity identity;
    identity.local_user = "alice";
    identity.local_uid = "1000";
    identity.local_host = "desk.example.com";
    identity.home = "/home/alice";
    int reads = 0;  // an Include may find the same text again, but not for ever
    const SshConfig::Reader reader = [&](const std::filesystem::path&) -> std::optional<std::string> {
        return ++reads > 3 ? std::nullopt : std::optional(text);
    };
    const SshConfig::Exec exec = [](const std::string& command) {
        return std::optional(command.size() % 2 == 0);
    };
    try {
        const auto config = SshConfig::load({{"config", true}}, identity, reader);
        for (const char* host : {"web1", "[::1]", "%h", ""}) {
            try {
                const HostSettings settings = config->resolve(ConfigQuery(host), exec);
                if (settings.port && (*settings.port < 1 || *settings.port > 65535)) std::abort();
                if (settings.proxy_jump) parse_proxy_jump(*settings.proxy_jump);
                if (settings.ciphers) apply_algorithm_list(*settings.ciphers, {"aes128-ctr", "aes256-ctr"});
            } catch (const Error&) {
                continue;
            }
        }
    } catch (const Error&) {
        return 0;
    }
    return 0;
}
