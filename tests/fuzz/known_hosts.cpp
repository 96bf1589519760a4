// known_hosts of any bytes: no line, however odd, may hide the good one after it.
#include "transports/ssh/known_hosts/known_hosts.hpp"

#include <cstdlib>
#include <memory>
#include <string>

#include "support/log.hpp"
#include "support/text.hpp"

using namespace volley;
using namespace volley::transports::ssh;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    log_to([](const LogRecord&) {}, LogLevel::Fatal);  // what nobody listens to is kept
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::string key = std::string("\0\0\0\x0Bssh-ed25519\0\0\0\x05", 19) + "fuzz!";
    const std::string good = "\n" + known_hosts_line("fuzzed.example.com", 2222, key, false) + "\n";
    const auto file = std::make_shared<KnownHostsFile>("known_hosts", text + good);
    const KnownHosts hosts({file});
    for (const char* host : {"fuzzed.example.com", "web1", "10.0.0.1", "::1"}) {
        for (const int port : {22, 2222}) {
            hosts.check(host, port, key);
            hosts.key_types(host, port);
            hosts.has_authority(host, port);
        }
    }
    // Unless the fuzzer revoked this very key, which takes its base64.
    if (text.find(base64_encode(key)) != std::string::npos) return 0;
    if (hosts.check("fuzzed.example.com", 2222, key).verdict != HostVerdict::Match) std::abort();
    return 0;
}
