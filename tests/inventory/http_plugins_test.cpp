// Plugins that ask servers: PLG-032, PLG-036, against a server of the test's own.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "inventory/plugins/plugin_set.hpp"
#include "support/unique_fd.hpp"
#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;

namespace {

/// Answers HTTP requests, one a connection, with the JSON given, in order, and keeps what was asked.
class AnsweringServer {
public:
    explicit AnsweringServer(std::vector<std::pair<int, std::string>> answers)
        : answers_(std::move(answers)) {
        listener_ = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0);
        REQUIRE(::listen(listener_.get(), 8) == 0);
        REQUIRE(::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~AnsweringServer() {
        ::shutdown(listener_.get(), SHUT_RDWR);
        thread_.join();
    }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    /// The requests so far, each with its headers and body. After they were answered only.
    std::vector<std::string> requests;

private:
    void serve() {
        for (const auto& [status, body] : answers_) {
            const UniqueFd client(::accept(listener_.get(), nullptr, nullptr));
            if (client.get() < 0) return;
            requests.push_back(read_request(client.get()));
            const std::string answer = "HTTP/1.1 " + std::to_string(status) +
                                       " x\r\nContent-Length: " + std::to_string(body.size()) +
                                       "\r\nConnection: close\r\n\r\n" + body;
            static_cast<void>(!::write(client.get(), answer.data(), answer.size()));
        }
    }
    static std::string read_request(int client) {
        std::string text;
        char buffer[4096];
        for (;;) {
            const std::size_t head = text.find("\r\n\r\n");
            if (head != std::string::npos) {
                const std::size_t at = text.find("Content-Length: ");
                const std::size_t length = at < head ? std::stoul(text.substr(at + 16)) : 0;
                if (text.size() >= head + 4 + length) return text;
            }
            const ssize_t n = ::read(client, buffer, sizeof buffer);
            if (n <= 0) return text;
            text.append(buffer, static_cast<std::size_t>(n));
        }
    }
    std::vector<std::pair<int, std::string>> answers_;
    UniqueFd listener_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

PluginSettings server_settings(const World& world, Json config) {
    PluginSettings settings;
    settings.surroundings = world.surroundings();
    settings.project = world.project;
    settings.config = std::make_shared<const Json>(std::move(config));
    return settings;
}

}  // namespace

TEST_CASE("PLG-036 vault reads a field of version 2 with a token from a login", "[plugins]") {
    AnsweringServer server({{200, R"({"auth": {"client_token": "t0ken"}})"},
                            {200, R"({"data": {"data": {"password": "pw", "x": 1}}})"},
                            {403, R"({"errors": ["permission denied"]})"}});
    World world;
    PluginSet plugins(server_settings(world, Json{{"vault", {{"server_url", server.url()}}}}));
    const Json asked =
        Json::parse(R"({"_plugin": "vault", "path": "secrets/bolt", "version": 2, "field": "password",
                                       "auth": {"method": "userpass", "user": "bolt", "pass": "hunter2"}})");
    CHECK(plugins.resolve(asked) == "pw");
    CHECK(server.requests.at(0).starts_with("POST /v1/auth/userpass/login/bolt "));
    CHECK(server.requests.at(1).starts_with("GET /v1/secrets/data/bolt "));
    CHECK(server.requests.at(1).find("X-Vault-Token: t0ken") != std::string::npos);
    world.environment["VAULT_TOKEN"] = "other";
    PluginSet again(server_settings(world, Json{{"vault", {{"server_url", server.url()}}}}));
    const std::string refused =
        error_of([&] { again.resolve(Json::parse(R"({"_plugin": "vault", "path": "secrets/bolt"})")); });
    CHECK(refused ==
          "bolt/plugin-error: Vault answered with status 403 [\"permission denied\"] for secrets/bolt");
    CHECK(refused.find("other") == std::string::npos);
}

TEST_CASE("PLG-032 puppetdb makes targets of certnames and facts", "[plugins]") {
    AnsweringServer server(
        {{200, R"([{"certname": "a"}, {"certname": "b"}, {"certname": "a"}])"},
         {200, R"([{"certname": "a", "path": ["networking", "ip"], "value": "10.0.0.1"}])"}});
    World world;
    PluginSet plugins(
        server_settings(world, Json{{"puppetdb", {{"server_urls", {server.url()}}, {"token", "t"}}}}));
    CHECK(plugins.resolve(Json::parse(R"({"_plugin": "puppetdb", "query": "inventory[certname] {}",
              "target_mapping": {"name": "certname", "uri": "facts.networking.ip"}})")) ==
          Json::parse(R"([{"name": "a", "uri": "10.0.0.1"}, {"name": "b", "uri": null}])"));
    CHECK(world.warned("puppetdb_missing_fact"));
    CHECK(server.requests.at(0).starts_with("POST /pdb/query/v4 "));
    CHECK(server.requests.at(1).starts_with("POST /pdb/query/v4/fact-contents "));
    CHECK(server.requests.at(1).find("X-Authentication: t") != std::string::npos);
    CHECK(error_of([&] {
              plugins.resolve(Json::parse(
                  R"({"_plugin": "puppetdb", "query": "x", "target_mapping": {"uri": "nofact"}})"));
          }).find("fact lookups must start with 'facts.'") != std::string::npos);
}

TEST_CASE("http makes targets of a service's list, and servers that are not there are named", "[plugins]") {
    AnsweringServer server(
        {{200, R"({"list": [1, 2]})"}, {200, R"([{"host": "h", "tags": ["x"]}])"}, {500, "oops"}});
    World world;
    PluginSet plugins(server_settings(world, Json::object()));
    const auto ask = [&](const std::string& more) {
        return plugins.resolve(
            Json::parse(R"({"_plugin": "http", "url": ")" + server.url() + "/x\"" + more + "}"));
    };
    CHECK(ask("") == Json::parse(R"({"list": [1, 2]})"));
    CHECK(ask(R"(, "target_mapping": {"uri": "host", "vars": {"tag": "tags.0"}})") ==
          Json::parse(R"([{"uri": "h", "vars": {"tag": "x"}}])"));
    CHECK(error_of([&] { ask(""); }).find("the server answered with status 500") != std::string::npos);
    const std::string gone = error_of([&] {
        plugins.resolve(Json::parse(R"({"_plugin": "http", "url": "http://u:pw@127.0.0.1:1/x?q=s"})"));
    });
    CHECK(gone.find("The request to http://127.0.0.1:1 failed: ") != std::string::npos);
    CHECK(gone.find("pw") == std::string::npos);
}
