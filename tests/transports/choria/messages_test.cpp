#include "transports/choria/messages.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/crypto/digest.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"
#include "transports/choria/choria_connection.hpp"
#include "transports/choria/settings.hpp"
#include "transports/errors.hpp"

using namespace volley;
using namespace volley::transports;
using namespace volley::transports::choria;

namespace {

struct KeyPair {
    KeyPair() : key(EVP_RSA_gen(2048), EVP_PKEY_free) {
        const std::unique_ptr<BIO, int (*)(BIO*)> out(BIO_new(BIO_s_mem()), BIO_free);
        PEM_write_bio_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
        char* bytes = nullptr;
        const long size = BIO_get_mem_data(out.get(), &bytes);
        pem.assign(bytes, static_cast<std::size_t>(size));
    }
    bool signed_by(std::string_view message, std::string_view signature) const {
        const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
        EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get());
        return EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                                signature.size(), reinterpret_cast<const unsigned char*>(message.data()),
                                message.size()) == 1;
    }
    std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key;
    std::string pem;
};

std::string reply_with(Json body, Json outer_changes = Json::object(), std::string hash = {}) {
    Json outer{{"protocol", "choria:reply:1"},
               {"message", body.is_string() ? body.get<std::string>() : body.dump()},
               {"envelope", {{"requestid", "id1"}, {"senderid", "web"}, {"agent", "shell"}, {"time", 1}}}};
    outer.update(outer_changes);
    const std::string text = outer.dump();
    const Json secure{{"protocol", "choria:secure:reply:1"},
                      {"message", text},
                      {"hash", hash.empty() ? base64_encode(sha256(text)) : hash}};
    return Json{{"protocol", "choria:transport:1"},
                {"data", base64_encode(secure.dump())},
                {"headers", Json::object()}}
        .dump();
}

}  // namespace

TEST_CASE("CHO-001 a request is signed by its caller, layer in layer", "[choria]") {
    const KeyPair pair;
    const Signer signer(pair.pem, "CERTIFICATE");
    Request request;
    request.id = "0123456789abcdef0123456789abcdef";
    request.sender = "station";
    request.caller = "choria=ann.mcollective";
    request.collective = "mcollective";
    request.agent = "shell";
    request.action = "run";
    request.data = R"({"command":"id"})";
    request.reply_to = "mcollective.reply.x.1";
    request.time = 1700000000;
    const Json transport = parse_json(encode(request, signer));
    CHECK(transport["protocol"] == "choria:transport:1");
    CHECK(transport["headers"]["reply-to"] == "mcollective.reply.x.1");
    const Json secure = parse_json(base64_decode(transport["data"].get<std::string>()).value());
    CHECK(secure["pubcert"] == "CERTIFICATE");
    const auto text = secure["message"].get<std::string>();
    CHECK(pair.signed_by(text, base64_decode(secure["signature"].get<std::string>()).value()));
    CHECK_FALSE(pair.signed_by(text + " ", base64_decode(secure["signature"].get<std::string>()).value()));
    const Json outer = parse_json(text);
    CHECK(outer["envelope"]["callerid"] == "choria=ann.mcollective");
    CHECK(outer["envelope"]["time"] == 1700000000);
    CHECK(outer["envelope"]["filter"]["agent"] == Json::array({"shell"}));
    const Json body = parse_json(outer["message"].get<std::string>());
    CHECK(body["action"] == "run");
    CHECK(body["data"]["command"] == "id");
}

TEST_CASE("CHO-001 keys that cannot sign", "[choria]") {
    CHECK_THROWS_WITH(Signer("nonsense", ""), "the private key is not a PEM key without a passphrase");
    CHECK_THROWS_WITH(Signer("", ""), "the private key is not a PEM key without a passphrase");
}

TEST_CASE("CHO-001 replies and what is none", "[choria]") {
    const Reply reply = decode(reply_with({{"statuscode", 1}, {"statusmsg", "no"}, {"data", {{"a", 1}}}}));
    CHECK(reply.request == "id1");
    CHECK(reply.sender == "web");
    CHECK(reply.status == 1);
    CHECK(reply.status_text == "no");
    CHECK((*reply.data)["a"] == 1);
    CHECK(decode(reply_with({{"statuscode", 0}})).data->is_object());
    CHECK(decode(reply_with({{"statuscode", 0}, {"data", Json::array()}})).data->is_object());
    CHECK(decode(reply_with({{"statuscode", 99}})).status == 5);
    CHECK(decode(reply_with({{"statuscode", -1}})).status == 5);
    CHECK_THROWS_WITH(decode(""), Catch::Contains("transport message is not valid JSON"));
    CHECK_THROWS_WITH(decode("[]"), "its transport message is not an object");
    CHECK_THROWS_WITH(decode("{}"), "its transport message has no protocol");
    CHECK_THROWS_WITH(decode(R"({"protocol":"choria:transport:1","data":"%"})"),
                      "its data is not valid base64");
    CHECK_THROWS_WITH(decode(reply_with({{"statuscode", 0}}, Json::object(), "AAAA")),
                      "its hash does not match what it says");
    CHECK_THROWS_WITH(decode(reply_with({{"statuscode", 0}}, {{"envelope", 1}})),
                      "its reply has no envelope");
    CHECK_THROWS_WITH(decode(reply_with({{"statuscode", 0}}, {{"protocol", "choria:reply:2"}})),
                      "its reply is not of the protocol choria:reply:1");
    CHECK_THROWS_WITH(decode(reply_with(Json::object())), "its body has no statuscode");
    CHECK_THROWS_WITH(decode(reply_with(Json("nonsense"))), Catch::Contains("its body is not valid JSON"));
    std::string deep(200, '[');
    CHECK_THROWS_WITH(decode(deep), Catch::Contains("100 levels"));
}

TEST_CASE("CHO-001 where replies go", "[choria]") {
    CHECK(reply_subject("mcollective", "choria=ann.mcollective", "1.2") ==
          "mcollective.reply.d09c2d5d28c634eeb5e9dd1cfd0c8782.1.2");
}

TEST_CASE("TRN-029 the client's configuration file", "[choria]") {
    const ClientConfig config("# note\n a = 1 \nb=x = y\n\na=2\nempty =\n", "client.conf");
    CHECK(config.get("a") == "2");
    CHECK(config.get("b") == "x = y");
    CHECK(config.get("empty").empty());
    CHECK(config.get("c").empty());
    CHECK_THROWS_WITH(ClientConfig("a = 1\nnonsense\n", "client.conf"),
                      "Choria client configuration failed: client.conf:2: expected `key = value`");
}

TEST_CASE("CHO-001 versions of agents", "[choria]") {
    for (const char* version : {"1.2.1", "1.2.2", "1.3", "2", "1.10.0", "1.2.1.0"}) {
        INFO(version);
        CHECK(is_version_at_least(version, "1.2.1"));
    }
    for (const char* version :
         {"", "1", "1.2", "1.2.0", "0.9.9", "x", "1.2.x", "1.2.1-rc1", "-1", "99999999999"}) {
        INFO(version);
        CHECK_FALSE(is_version_at_least(version, "1.2.1"));
    }
}
