#include "transports/transport.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/error.hpp"

using namespace volley;
using namespace volley::transports;

namespace {

std::vector<std::string> faults(const char* options) {
    return find_transport("ssh")->check(Json::parse(options));
}

const OptionSpec& option(std::string_view name) {
    const OptionTable table = find_transport("ssh")->options;
    const auto found = std::ranges::find(table, name, &OptionSpec::name);
    REQUIRE(found != table.end());
    return *found;
}

}  // namespace

TEST_CASE("TRN-020 ssh has Bolt's options and defaults", "[transports]") {
    constexpr std::size_t bolts = 29;
    CHECK(find_transport("ssh")->options.size() == bolts + 1);
    CHECK(option("powershell-subsystem").default_json.empty());
    CHECK(option("connect-timeout").default_json == "10");
    CHECK(option("connect-timeout").minimum == 1);
    CHECK(option("disconnect-timeout").default_json == "5");
    CHECK(option("load-config").default_json == "true");
    CHECK(option("host-key-check").default_json.empty());
    CHECK(option("password").is_secret);
    CHECK(option("sudo-password").is_secret);
    CHECK(option("private-key").is_path);
}

TEST_CASE("TRN-020 option names are in order and every default is JSON of its type", "[transports]") {
    for (const TransportSpec& spec : transport_specs()) {
        CHECK(std::ranges::is_sorted(spec.options, {}, &OptionSpec::name));
        for (const OptionSpec& each : spec.options) {
            INFO(spec.name << ' ' << each.name);
            CHECK(each.description.ends_with('.'));
            if (each.default_json.empty()) continue;
            const Json value = Json::parse(each.default_json);
            CHECK(value.is_boolean() == (each.type == OptionType::Boolean));
            CHECK(value.is_number_integer() == (each.type == OptionType::Integer));
        }
    }
}

TEST_CASE("TRN-034 login-shell has a closed set of values", "[transports]") {
    const std::vector<std::string_view> want{"sh", "bash", "zsh", "dash", "ksh", "powershell"};
    CHECK(option("login-shell").allowed == want);
}

TEST_CASE("TRN-031 options of ssh that exclude each other", "[transports]") {
    struct Row {
        const char *name, *options, *want;
    };
    static constexpr Row rows[] = {
        {"tty", R"({"login-shell":"powershell","tty":true})", "tty is not supported when using PowerShell"},
        {"run-as", R"({"login-shell":"powershell","run-as":"root"})",
         "run-as is not supported when using PowerShell"},
        {"native without configuration", R"({"native-ssh":true,"load-config":false})",
         "Cannot use native SSH transport with load-config set to false"},
        {"native with inline key", R"({"native-ssh":true,"private-key":{"key-data":"x"}})",
         "private-key must be a filepath when using native-ssh"},
        {"batch-mode", R"({"batch-mode":false})", "Must set ssh-command when batch-mode is set to false"},
        {"twice", R"({"mac-algorithms":["a","b","a"]})", "mac-algorithms must not name an algorithm twice"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) { CHECK(faults(row.options) == std::vector<std::string>{row.want}); }
    }
    CHECK(faults(R"({"login-shell":"powershell","tty":false})").empty());
    CHECK(faults(R"({"batch-mode":false,"ssh-command":"x"})").empty());
    CHECK(faults(R"({})").empty());
}

TEST_CASE("TRN-028 remote keeps options it does not know", "[transports]") {
    CHECK(find_transport("remote")->keeps_unknown_options);
    CHECK_FALSE(find_transport("ssh")->keeps_unknown_options);
}

TEST_CASE("TRN-001 what depends on a transport is in its spec", "[transports]") {
    CHECK(default_transport() == "ssh");
    CHECK(controller_transport() == "local");
    CHECK(find_transport("remote")->uses_proxy_target);
    CHECK(find_transport("ssh")->descriptors < find_transport("local")->descriptors);
    for (const char* name :
         {"choria", "docker", "jail", "local", "lxd", "podman", "remote", "ssh", "winrm"}) {
        INFO(name);
        CHECK(std::ranges::count(known_transport_names(), name) == 1);
        CHECK(std::ranges::is_sorted(find_transport(name)->options, {}, &OptionSpec::name));
    }
}

TEST_CASE("TRN-001 an unknown transport is refused by name", "[transports]") {
    CHECK(find_transport("telnet") == nullptr);
    Runtime runtime;
    CHECK_THROWS_WITH(make_transport("telnet", runtime), "Unknown transport telnet");
}
