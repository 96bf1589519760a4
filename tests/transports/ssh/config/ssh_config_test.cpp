#include "transports/ssh/config/ssh_config.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "support/error.hpp"
#include "tests/transports/ssh/ssh_tools_fixture.hpp"

namespace volley::transports::ssh {
namespace {

using testing::TempDir;

ConfigIdentity somebody() {
    ConfigIdentity identity;
    identity.local_user = "alice";
    identity.local_uid = "1000";
    identity.local_host = "desk.example.com";
    identity.home = "/home/alice";
    return identity;
}

using Files = std::map<std::string, std::string>;

std::shared_ptr<const SshConfig> config(const Files& files) {
    const SshConfig::Reader reader =
        [files](const std::filesystem::path& path) -> std::optional<std::string> {
        const auto found = files.find(path.string());
        return found == files.end() ? std::nullopt : std::optional(found->second);
    };
    return SshConfig::load({{"user", true}, {"system", false}}, somebody(), reader);
}

HostSettings resolve(const std::string& text, const std::string& host) {
    return config({{"user", text}})->resolve(ConfigQuery(host));
}

std::string error_of(const std::string& text, const std::string& host = "web1") {
    try {
        resolve(text, host);
    } catch (const Error& error) {
        CHECK(error.info().kind() == "bolt/ssh-config-error");
        return error.what();
    }
    return "no error";
}

TEST_CASE("ssh_config: the first value wins, and files add up", "[ssh][ssh_config]") {
    const auto both =
        config({{"user", "Host web*\n  User carol\n  IdentityFile /a\nHost *\n  User dave\n  Port 2200\n"},
                {"system", "Port 2222\nHostName elsewhere\nIdentityFile /b\nIdentityFile /a\n"}});
    const HostSettings web = both->resolve(ConfigQuery("web1"));
    CHECK(web.user == "carol");
    CHECK(web.port == 2200);
    CHECK(web.host_name == "elsewhere");
    CHECK(web.identity_files == std::vector<std::string>{"/a", "/b"});
    CHECK(both->resolve(ConfigQuery("db")).user == "dave");

    ConfigQuery mine("web1");
    mine.user = "me";
    mine.port = 22;
    CHECK(both->resolve(mine).user == "me");
    CHECK(both->resolve(mine).port == 22);

    const HostSettings none = resolve("", "Web1");
    CHECK(none.host_name == "web1");
    CHECK_FALSE(none.user);
    CHECK_FALSE(none.strict_host_key_checking);
    CHECK(none.identity_files.empty());
}

TEST_CASE("ssh_config: one option after another is understood", "[ssh][ssh_config]") {
    const HostSettings all = resolve(
        "IdentitiesOnly yes\nIdentityAgent none\nCertificateFile ~/c\nProxyJump a@b:2,c\nUserKnownHostsFile "
        "/k1 \"/k 2\"\n"
        "GlobalKnownHostsFile /g\nHashKnownHosts no\nStrictHostKeyChecking accept-new\nConnectTimeout 1m30s\n"
        "ServerAliveInterval 15\nServerAliveCountMax 4\nKexAlgorithms ^curve25519-sha256\nCiphers "
        "aes256-ctr\n"
        "MACs +hmac-sha1\nHostKeyAlgorithms -ssh-rsa\nPubkeyAuthentication unbound\nPasswordAuthentication "
        "no\n"
        "ChallengeResponseAuthentication no\nAddressFamily inet6\nBindAddress ::1\nHostKeyAlias "
        "alias\nLogLevel DEBUG\n"
        "Compression yes\nTCPKeepAlive no\nBatchMode yes\nConnectionAttempts 3\nForwardAgent $SOCK\n"
        "PreferredAuthentications publickey\nPubkeyAcceptedKeyTypes ssh-ed25519\nGSSAPIAuthentication no\n",
        "h");
    CHECK(all.identities_only == true);
    CHECK(all.identity_agent == "none");
    CHECK(all.certificate_files == std::vector<std::string>{"/home/alice/c"});
    CHECK(all.proxy_jump == "a@b:2,c");
    CHECK(all.user_known_hosts == std::vector<std::string>{"/k1", "/k 2"});
    CHECK(all.global_known_hosts == std::vector<std::string>{"/g"});
    CHECK(all.hash_known_hosts == false);
    CHECK(all.strict_host_key_checking == StrictHostKeyChecking::AcceptNew);
    CHECK(all.connect_timeout == 90);
    CHECK(all.server_alive_interval == 15);
    CHECK(all.server_alive_count_max == 4);
    CHECK(all.kex_algorithms == "^curve25519-sha256");
    CHECK(all.ciphers == "aes256-ctr");
    CHECK(all.macs == "+hmac-sha1");
    CHECK(all.host_key_algorithms == "-ssh-rsa");
    CHECK(all.pubkey_authentication == true);
    CHECK(all.password_authentication == false);
    CHECK(all.kbd_interactive_authentication == false);
    CHECK(all.address_family == AddressFamily::Inet6);
    CHECK(all.bind_address == "::1");
    CHECK(all.host_key_alias == "alias");
    CHECK(all.compression == true);
    CHECK(all.tcp_keep_alive == false);
    CHECK(all.batch_mode == true);
    CHECK(all.connection_attempts == 3);
    CHECK(all.forward_agent == true);
    CHECK(all.preferred_authentications == "publickey");
    CHECK(all.pubkey_accepted_algorithms == "ssh-ed25519");
    CHECK(all.gssapi_authentication == false);
}

TEST_CASE("ssh_config: tokens, variables and ~ are expanded where they may stand", "[ssh][ssh_config]") {
    ::setenv("VOLLEY_TEST_DIR", "/dir", 1);
    const HostSettings got = resolve(
        "HostName %h.example.com\nUser bob\nPort 2200\nIdentityFile ~/%r@%n:%p-%u-%i-%l-%L-%d%%\n"
        "IdentityFile ${VOLLEY_TEST_DIR}/key\nIdentityAgent $VOLLEY_TEST_DIR\nUserKnownHostsFile ~/kh-%k\n"
        "ProxyCommand nc -X \"a b\" %h %p # %r\nHostKeyAlias other\n",
        "Web1");
    CHECK(got.host_name == "web1.example.com");
    CHECK(got.identity_files ==
          std::vector<std::string>{"/home/alice/bob@Web1:2200-alice-1000-desk.example.com-desk-/home/alice%",
                                   "/dir/key"});
    CHECK(got.identity_agent == "/dir");
    CHECK(got.user_known_hosts == std::vector<std::string>{"/home/alice/kh-other"});
    CHECK(got.proxy_command == "nc -X \"a b\" web1.example.com 2200 # bob");
    CHECK(resolve("IdentityFile /%C", "h").identity_files.front() ==
          "/" + testing::must_run("printf 'desk.example.comh22alice' | sha1sum").substr(0, 40));
    ::unsetenv("VOLLEY_TEST_DIR");
    CHECK(error_of("IdentityFile ${VOLLEY_TEST_DIR}/key").find("VOLLEY_TEST_DIR is not set") !=
          std::string::npos);
    CHECK(error_of("IdentityFile /%z").find("%z") != std::string::npos);
    CHECK(error_of("HostName %u").find("HostName") != std::string::npos);
    CHECK(error_of("ProxyCommand nc %").find("ProxyCommand") != std::string::npos);
}

TEST_CASE("ssh_config: Match exec runs only where it is needed", "[ssh][ssh_config]") {
    const std::string text =
        "Match host web* exec \"test %h = web1\"\n  User yes\nMatch host web* !exec other\n  Port 1\n";
    std::vector<std::string> ran;
    const SshConfig::Exec exec = [&ran](const std::string& command) -> std::optional<bool> {
        ran.push_back(command);
        return command == "test web1 = web1";
    };
    const auto parsed = config({{"user", text}});
    CHECK(parsed->uses_exec());
    CHECK(parsed->resolve(ConfigQuery("web1"), exec).user == "yes");
    CHECK(parsed->resolve(ConfigQuery("web1"), exec).port == 1);
    ran.clear();
    CHECK_FALSE(parsed->resolve(ConfigQuery("db"), exec).user);
    CHECK(ran.empty());
    const HostSettings unknown = parsed->resolve(ConfigQuery("web1"));
    CHECK_FALSE(unknown.user);
    CHECK_FALSE(unknown.port);
}

TEST_CASE("ssh_config: the store runs Match exec commands as processes", "[ssh][ssh_config]") {
    const TempDir dir;
    const auto file =
        dir.write("config", "Match exec \"echo x >> " + (dir / "ran").string() +
                                "; test %n = web1\"\n  User carol\nMatch !exec false\n  Port 2200\n");
    Runtime runtime;
    SshConfigStore store(runtime, {{file, true}}, ConfigIdentity::current());
    for (int i = 0; i < 2; ++i) {
        CHECK(testing::wait_for(runtime, store.resolve(ConfigQuery("web1")))->user == "carol");
        CHECK_FALSE(testing::wait_for(runtime, store.resolve(ConfigQuery("web2")))->user);
    }
    CHECK(testing::wait_for(runtime, store.resolve(ConfigQuery("web2")))->port == 2200);
    CHECK(testing::slurp(dir / "ran") == "x\nx\n");  // once for each host, whose command differs
}

TEST_CASE("ssh_config: mistakes are named with file and line", "[ssh][ssh_config]") {
    struct Row {
        std::string_view text, want;
    };
    static constexpr Row rows[] = {
        {"# fine\n\nPort ssh\n", "user:3: 'ssh' is not a port number"},
        {"Port 70000\n", "user:1: '70000' is not a port number"},
        {"Host\n", "user:1: missing argument after 'host'"},
        {"Port\n", "user:1: missing argument after 'port'"},
        {"User \"\"\n", "user:1: missing argument after 'user'"},
        {"User a b\n", "user:1: 'user' takes one value, not also 'b'"},
        {"User \"a\n", "user:1: unterminated quote"},
        {"Host other\n HashKnownHosts maybe\n", "user:2: 'maybe' is not yes or no"},
        {"StrictHostKeyChecking perhaps\n", "user:1: 'perhaps' is not one of yes, no, ask, accept-new, off"},
        {"ConnectTimeout 5x\n", "user:1: '5x' is not a time such as 30, 90s or 1m30s"},
        {"ConnectTimeout 99999999999\n", "user:1: '99999999999' is not a time such as 30, 90s or 1m30s"},
        {"Match host\n", "user:1: Match host needs an argument"},
        {"Match all host a\n", "user:1: 'all' cannot be combined with other Match criteria"},
        {"Include user\n", "/home/alice/.ssh/user:1: Include is nested more than 16 levels deep"},
    };
    for (const Row& row : rows) {
        INFO(row.text);
        const Files files{{"user", std::string(row.text)}, {"/home/alice/.ssh/user", "Include user\n"}};
        std::string got = "no error";
        try {
            config(files)->resolve(ConfigQuery("web1"));
        } catch (const Error& error) {
            got = error.what();
        }
        CHECK(got == row.want);
    }
    // As ssh: a keyword that nobody knows is more likely a slip than a wish that can be ignored.
    CHECK(error_of("FooBar baz\n") == "user:1: unknown keyword 'foobar'");
    CHECK(error_of("IgnoreUnknown Foo*\nFooBar baz\nLogLevel QUIET\nMatch tagged x\n User no\n") ==
          "no error");
}

TEST_CASE("ssh_config: ten thousand hosts are resolved each to its own group", "[ssh][ssh_config]") {
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += "Host group" + std::to_string(i) + "-*\n User u" + std::to_string(i) + "\n";
    const auto parsed = config({{"user", text + "Host *\n Port 2200\n"}});
    int right = 0;
    for (int i = 0; i < 10000; ++i) {
        const HostSettings got =
            parsed->resolve(ConfigQuery("group" + std::to_string(i % 100) + "-" + std::to_string(i)));
        if (got.user == "u" + std::to_string(i % 100)) ++right;
    }
    CHECK(right == 10000);
}

TEST_CASE("SSH-009 a ProxyJump list is taken apart", "[ssh][ssh_config]") {
    const auto hops = parse_proxy_jump("a, bob@b:2200,ssh://carol@[::1]:22,[fe80::1],ssh://d/");
    REQUIRE(hops.size() == 5);
    CHECK(hops[0].host == "a");
    CHECK_FALSE(hops[0].user);
    CHECK_FALSE(hops[0].port);
    CHECK(hops[1].user == "bob");
    CHECK(hops[1].port == 2200);
    CHECK(hops[2].user == "carol");
    CHECK(hops[2].host == "::1");
    CHECK(hops[2].port == 22);
    CHECK(hops[3].host == "fe80::1");
    CHECK(hops[4].host == "d");
    CHECK(parse_proxy_jump("none").empty());
    for (const std::string_view bad : {"", "a,,b", "@a", "a:", "a:ssh", "a:0", "a:70000", "[::1", "[::1]x",
                                       "-oProxyCommand=x", "u@-x", "a b"}) {
        INFO(bad);
        CHECK_THROWS_AS(parse_proxy_jump(bad), Error);
    }
}

TEST_CASE("algorithm lists replace or change the defaults", "[ssh][ssh_config]") {
    const std::vector<std::string> defaults{"a1", "b2", "c1"};
    using List = std::vector<std::string>;
    CHECK(apply_algorithm_list("x,b2", defaults) == List{"x", "b2"});
    CHECK(apply_algorithm_list("+x,a1", defaults) == List{"a1", "b2", "c1", "x"});
    CHECK(apply_algorithm_list("-?1", defaults) == List{"b2"});
    CHECK(apply_algorithm_list("^c1,x", defaults) == List{"c1", "x", "a1", "b2"});
}

}  // namespace
}  // namespace volley::transports::ssh
