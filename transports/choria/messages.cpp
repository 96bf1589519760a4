// Choria's messages, protocol version 1: JSON in JSON, signed.
#include "transports/choria/messages.hpp"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <nlohmann/json.hpp>

#include "support/crypto/digest.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"

namespace volley::transports::choria {
namespace {

// A node's output is in memory several times while its layers are taken off.
constexpr JsonLimits reply_limits{.depth = 100, .values = 1'000'000, .bytes = 64UL * 1024 * 1024};

Json parse(std::string_view text, const char* what) {
    try {
        Json json = parse_json(text, reply_limits);
        if (!json.is_object()) throw BadReply(fmt::format("its {} is not an object", what));
        return json;
    } catch (const JsonError& error) {
        throw BadReply(fmt::format("its {} is not valid JSON: {}", what, error.what()));
    }
}

std::string text_of(const Json& object, const char* key, const char* what) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string())
        throw BadReply(fmt::format("its {} has no {}", what, key));
    return found->get<std::string>();
}

void expect_protocol(const Json& object, std::string_view protocol, const char* what) {
    if (text_of(object, "protocol", what) != protocol)
        throw BadReply(fmt::format("its {} is not of the protocol {}", what, protocol));
}

}  // namespace

void Signer::Free::operator()(void* key) const noexcept { EVP_PKEY_free(static_cast<EVP_PKEY*>(key)); }

Signer::Signer(std::string_view private_key, std::string_view certificate) : certificate_(certificate) {
    const std::unique_ptr<BIO, int (*)(BIO*)> source(
        BIO_new_mem_buf(private_key.data(), static_cast<int>(private_key.size())), BIO_free);
    // Nobody is asked for a passphrase: a thousand targets would ask a thousand times.
    const auto refuse = [](char*, int, int, void*) { return -1; };
    if (source) key_.reset(PEM_read_bio_PrivateKey(source.get(), nullptr, refuse, nullptr));
    if (!key_) throw std::runtime_error("the private key is not a PEM key without a passphrase");
}

Signer::~Signer() = default;

std::string Signer::sign(std::string_view message) const {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    auto* const key = static_cast<EVP_PKEY*>(key_.get());
    const auto* const bytes = reinterpret_cast<const unsigned char*>(message.data());
    std::size_t size = 0;
    if (!context || EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) != 1 ||
        EVP_DigestSign(context.get(), nullptr, &size, bytes, message.size()) != 1)
        throw std::runtime_error("the private key cannot sign");
    std::string signature(size, '\0');
    if (EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                       message.size()) != 1)
        throw std::runtime_error("the private key cannot sign");
    signature.resize(size);
    return signature;
}

std::string encode(const Request& request, const Signer& signer) {
    const Json body{{"agent", request.agent},
                    {"action", request.action},
                    {"data", parse_json(request.data)},
                    {"caller", request.caller}};
    const Json filter{{"fact", Json::array()},
                      {"cf_class", Json::array()},
                      {"agent", Json::array({request.agent})},
                      {"identity", Json::array()},
                      {"compound", Json::array()}};
    const Json message{{"protocol", "choria:request:1"},
                       {"message", body.dump()},
                       {"envelope",
                        {{"requestid", request.id},
                         {"senderid", request.sender},
                         {"callerid", request.caller},
                         {"filter", filter},
                         {"collective", request.collective},
                         {"agent", request.agent},
                         {"ttl", request.ttl},
                         {"time", request.time}}}};
    const std::string text = message.dump();
    const Json secure{{"protocol", "choria:secure:request:1"},
                      {"message", text},
                      {"signature", base64_encode(signer.sign(text))},
                      {"pubcert", signer.certificate()}};
    const Json transport{{"protocol", "choria:transport:1"},
                         {"data", base64_encode(secure.dump())},
                         {"headers", {{"mc_sender", request.sender}, {"reply-to", request.reply_to}}}};
    return transport.dump();
}

Reply decode(std::string_view message) {
    const Json transport = parse(message, "transport message");
    expect_protocol(transport, "choria:transport:1", "transport message");
    const std::optional<std::string> inner = base64_decode(text_of(transport, "data", "transport message"));
    if (!inner) throw BadReply("its data is not valid base64");
    const Json secure = parse(*inner, "secure reply");
    expect_protocol(secure, "choria:secure:reply:1", "secure reply");
    const std::string text = text_of(secure, "message", "secure reply");
    if (text_of(secure, "hash", "secure reply") != base64_encode(sha256(text)))
        throw BadReply("its hash does not match what it says");
    const Json outer = parse(text, "reply");
    expect_protocol(outer, "choria:reply:1", "reply");
    const auto envelope = outer.find("envelope");
    if (envelope == outer.end() || !envelope->is_object()) throw BadReply("its reply has no envelope");
    Reply reply;
    reply.request = text_of(*envelope, "requestid", "envelope");
    reply.sender = text_of(*envelope, "senderid", "envelope");
    const Json body = parse(text_of(outer, "message", "reply"), "body");
    const auto status = body.find("statuscode");
    if (status == body.end() || !status->is_number_integer()) throw BadReply("its body has no statuscode");
    const auto code = status->get<std::int64_t>();
    reply.status = code >= 0 && code <= 5 ? static_cast<int>(code) : 5;
    const auto status_text = body.find("statusmsg");
    if (status_text != body.end() && status_text->is_string())
        reply.status_text = status_text->get<std::string>();
    const auto data = body.find("data");
    reply.data = std::make_unique<Json>(data != body.end() && data->is_object() ? *data : Json::object());
    return reply;
}

std::string reply_subject(const std::string& collective, const std::string& caller,
                          const std::string& unique) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(caller.data(), caller.size(), digest.data(), &size, EVP_md5(), nullptr);
    std::string hash;
    for (unsigned i = 0; i < size; ++i) hash += fmt::format("{:02x}", digest.at(i));
    return fmt::format("{}.reply.{}.{}", collective, hash, unique);
}

}  // namespace volley::transports::choria
