// Plugins that ask servers: PLG-032, PLG-036, against a server of the test's own.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "inventory/plugins/plugin_set.hpp"
#include "inventory/puppetdb/puppetdb.hpp"
#include "inventory/puppetdb/puppetdb_settings.hpp"
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
    settings.process = world.process();
    settings.project = world.project;
    settings.config = std::make_shared<const Json>(std::move(config));
    return settings;
}

}  // namespace

TEST_CASE("ENV-013 vault's server, token and authority may come from the environment", "[plugins]") {
    AnsweringServer server({{200, R"({"data": {"password": "pw"}})"}});
    World world;
    world.environment["VAULT_ADDR"] = server.url();
    world.environment["VAULT_TOKEN"] = "of the environment";
    world.environment["VAULT_CACERT"] = "/no/such/ca.pem";
    PluginSet plugins(server_settings(world, Json::object()));
    CHECK(plugins.resolve(
              Json::parse(R"({"_plugin": "vault", "path": "secrets/bolt", "field": "password"})")) == "pw");
    CHECK(server.requests.at(0).find("X-Vault-Token: of the environment") != std::string::npos);
    const AnsweringServer secure({{200, "{}"}});
    world.environment["VAULT_ADDR"] = "https" + secure.url().substr(4);
    PluginSet secured(server_settings(world, Json::object()));
    const std::string refused =
        error_of([&] { secured.resolve(Json::parse(R"({"_plugin": "vault", "path": "secrets/bolt"})")); });
    CHECK(refused.find("/no/such/ca.pem") != std::string::npos);
}

TEST_CASE("PDB-003 PDB-007 a command goes to the server that still answers, and its uuid comes back",
          "[puppetdb]") {
    AnsweringServer broken({{500, "down"}});
    AnsweringServer server(
        {{200, R"([{"certname": "a"}])"}, {200, R"({"uuid": "u-1"})"}, {400, "bad command"}});
    World world;
    PuppetDb database(Json{{"server_urls", {broken.url(), server.url()}}}, "", world.process(),
                      world.project);
    CHECK(database.certnames("nodes {}") == std::vector<std::string>{"a"});
    const Json payload{{"certname", "web 1"}, {"values", Json::object()}};
    CHECK(database.command("replace_facts", 5, payload) == "u-1");
    CHECK(broken.requests.size() == 1);  // failed once and is passed over since
    CHECK(server.requests.at(1).starts_with(
        "POST /pdb/cmd/v1?command=replace_facts&version=5&certname=web%201 "));
    CHECK(server.requests.at(1).ends_with(payload.dump()));
    CHECK(error_of([&] { database.command("replace_facts", 5, payload); }) ==
          "bolt/puppetdb-error: Failed to invoke PuppetDB command: bad command");
    CHECK(error_of([&] {
              database.command("replace_facts", 5, Json::object());
          }).starts_with("bolt/pdb-command: Payload must include 'certname'"));
}

TEST_CASE("PDB-002 PDB-004 PDB-008 what is configured for a PuppetDB", "[puppetdb]") {
    World world;
    for (const char* name : {"ca.pem", "c.pem", "k.pem"}) world.write(name, "x");
    world.write("token", " in a file\n");
    const auto read = [&](Json more) {
        Json config{{"server_urls", {"https://a", "https://[::1]:1/", "https://b/"}}, {"cacert", "ca.pem"}};
        config.update(more);
        return read_puppetdb_settings(config, "", world.process(), world.project);
    };
    const PuppetDbSettings plain =
        read(Json{{"token", "token"}, {"headers", {{"X-N", 1}}}, {"read_timeout", 3}});
    CHECK(plain.servers == std::vector<std::string>{"https://a:8081", "https://[::1]:1", "https://b:8081"});
    CHECK(plain.ca_file == (world.project / "ca.pem").string());
    CHECK(plain.token == "in a file");
    CHECK(plain.headers == std::vector<std::string>{"X-N: 1"});
    CHECK(plain.read_timeout == 3);
    CHECK(read(Json{{"token", nullptr}}).token.empty());
    const PuppetDbSettings secured = read(Json{{"token", "token"}, {"cert", "c.pem"}, {"key", "k.pem"}});
    CHECK(secured.token.empty());  // the certificate wins
    CHECK(secured.certificate == (world.project / "c.pem").string());
    CHECK(error_of([&] {
              read(Json{{"cert", "c.pem"}});
          }).ends_with("cert and key must be specified together"));
    CHECK(error_of([&] { read(Json{{"headers", "x"}}); }).ends_with("headers must be a Hash"));
    CHECK(error_of([&] {
              read(Json{{"connect_timeout", 0}});
          }).ends_with("must be a positive integer, received 0"));
    CHECK(error_of([&] {
              read(Json{{"server_urls", 1}});
          }).ends_with("server_urls must be a string or array"));
}

TEST_CASE("PDB-001 the default PuppetDB starts from what Puppet's client tools use", "[puppetdb]") {
    World world;
    const auto servers = [&](const Json& config, const std::string& instance = "") {
        return read_puppetdb_settings(config, instance, world.process(), world.project).servers;
    };
    const auto configure = [&](const std::filesystem::path& tools, const std::string& text) {
        world.write(tools / "puppetdb.conf", text);
    };
    const std::filesystem::path system = world.process().system_config.parent_path() / "client-tools";
    const std::filesystem::path user = world.process().home / ".puppetlabs/client-tools";
    CHECK_THROWS_AS(servers(Json::object()), Error);
    configure(system, R"({"puppetdb": {"server_urls": "http://system"}})");
    CHECK(servers(Json::object()) == std::vector<std::string>{"http://system:8081"});
    configure(user, R"({"puppetdb": {"server_urls": ["http://user"]}})");
    CHECK(servers(Json::object()) == std::vector<std::string>{"http://user:8081"});
    CHECK(servers(Json{{"server_urls", "http://own"}}) == std::vector<std::string>{"http://own:8081"});
    CHECK_THROWS_AS(servers(Json{{"instances", {{"x", Json::object()}}}}, "x"), Error);
    configure(user, "no JSON");
    CHECK_THROWS_AS(servers(Json::object()), Error);
}

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

TEST_CASE("PLG-036 vault's paths and a server that knows the token itself", "[plugins]") {
    AnsweringServer server({{200, R"({"data": {"a": 1}})"}, {200, R"({"data": {"data": {"a": 1}}})"}});
    World world;
    PluginSet plugins(server_settings(world, Json{{"vault", {{"server_url", server.url()}}}}));
    CHECK(plugins.resolve(Json::parse(R"({"_plugin": "vault", "path": "/secret/foo", "field": "a"})")) == 1);
    CHECK(server.requests.at(0).starts_with("GET /v1/secret/foo "));
    CHECK(server.requests.at(0).find("X-Vault-Token") == std::string::npos);
    plugins.resolve(Json::parse(R"({"_plugin": "vault", "path": "kv/app/data/db", "version": 2})"));
    CHECK(server.requests.at(1).starts_with("GET /v1/kv/data/app/data/db "));
    CHECK(error_of([&] {
              plugins.resolve(
                  Json::parse(R"({"_plugin": "vault", "path": "x", "auth": {"method": "token"}})"));
          }).find("needs a token") != std::string::npos);
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
    const auto refused = [&](const char* reference) {
        return error_of([&] { plugins.resolve(Json::parse(reference)); });
    };
    CHECK(refused(R"({"_plugin": "puppetdb", "query": "x", "target_maping": {"name": "certname"}})") ==
          "bolt/validation-error: puppetdb plugin has no option 'target_maping'. Did you mean "
          "'target_mapping'?");
    CHECK(refused(R"({"_plugin": "puppetdb", "query": "x", "name": "certname"})")
              .find("to be set under 'target_mapping'") != std::string::npos);
}

TEST_CASE("PLG-032 puppetdb makes targets without a mapping, too", "[plugins]") {
    AnsweringServer server({{200, R"([{"certname": "a"}])"}});
    World world;
    PluginSet plugins(server_settings(world, Json{{"puppetdb", {{"server_urls", {server.url()}}}}}));
    CHECK(plugins.resolve(Json::parse(R"({"_plugin": "puppetdb", "query": "x", "target_mapping": null})")) ==
          Json::parse(R"([{"uri": "a"}])"));
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
