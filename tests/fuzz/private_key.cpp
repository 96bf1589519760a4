// Private keys, public keys and certificates of any bytes. Encrypted keys get no passphrase: the slow
// derivation is not what is to be tested.
#include <cstdlib>
#include <string_view>

#include "support/log.hpp"
#include "transports/ssh/keys/keys.hpp"

using namespace volley;
using namespace volley::transports::ssh;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    log_to([](const LogRecord&) {}, LogLevel::Fatal);  // what nobody listens to is kept
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto key = parse_public_key(text)) {
        if (blob_type(key->blob) != key->type) std::abort();
        certified_key(key->blob);
    }
    certified_key(text);
    peek_public_key(text);
    try {
        const auto key = parse_private_key(text, "fuzzed");
        for (const std::string_view algorithm : key->algorithms())
            signature_body(key->sign("data", algorithm));
    } catch (const KeyError&) {
        return 0;
    }
    return 0;
}
