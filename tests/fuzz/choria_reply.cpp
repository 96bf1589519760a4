// Messages of a Choria network of any bytes: a reply, or why there is none in one line. The bytes are taken
// as each of the layers, so that every one is reached.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "support/crypto/digest.hpp"
#include "support/text.hpp"
#include "transports/choria/messages.hpp"
#include "transports/choria/settings.hpp"
#include "transports/errors.hpp"

using namespace volley;
using namespace volley::transports::choria;

namespace {

void read(const std::string& message) {
    try {
        const Reply reply = decode(message);
        if (!reply.data || !reply.data->is_object() || reply.status < 0 || reply.status > 5) std::abort();
    } catch (const BadReply& error) {
        if (*error.what() == '\0') std::abort();
    }
}

std::string transport(const std::string& secure) {
    return Json{{"protocol", "choria:transport:1"}, {"data", base64_encode(secure)}}.dump();
}

std::string secured(const std::string& reply) {
    return transport(Json{
        {"protocol", "choria:secure:reply:1"}, {"message", reply}, {"hash", base64_encode(sha256(reply))}}
                         .dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    read(text);
    read(transport(text));
    read(secured(text));
    read(secured(Json{{"protocol", "choria:reply:1"},
                      {"message", text},
                      {"envelope", {{"requestid", "1"}, {"senderid", "web"}}}}
                     .dump(-1, ' ', false, Json::error_handler_t::replace)));
    try {
        static_cast<void>(ClientConfig(text, "client.conf").get("identity"));
    } catch (const transports::TransportError& error) {
        if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
    }
    return 0;
}
