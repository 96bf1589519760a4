// Logging in and host keys, against real servers.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/log.hpp"
#include "tests/transports/ssh/ssh_harness.hpp"
#include "tests/transports/ssh/sshd_fixture.hpp"
#include "transports/ssh/login/algorithms.hpp"
#include "transports/ssh/session/libssh2_library.hpp"

using namespace volley;
using namespace volley::tests;
using namespace volley::transports;

namespace {

std::string login_with_key(const std::filesystem::path& key, const std::string& more = "") {
    return fmt::format(R"({{"private-key":"{}","host-key-check":false{}}})", key.string(), more);
}

std::string one_line(const TransportError& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
}

/// An agent of our own with some keys, at $SSH_AUTH_SOCK.
class TestAgent {
public:
    TestAgent(const SshHome& home, const std::vector<std::string>& kinds) {
        const std::string socket = (home.path() / "agent").string();
        std::string script = fmt::format("ssh-agent -a {} > {}/agent.env", socket, home.path().string());
        for (const std::string& kind : kinds) {
            script += fmt::format(" && SSH_AUTH_SOCK={} ssh-add -q {}", socket, home.key(kind).string());
        }
        REQUIRE(std::system(script.c_str()) == 0);
        ::setenv("SSH_AUTH_SOCK", socket.c_str(), 1);
        environment_ = (home.path() / "agent.env").string();
    }
    ~TestAgent() {
        const std::string script = fmt::format(". {} > /dev/null && ssh-agent -k > /dev/null", environment_);
        if (std::system(script.c_str()) != 0) WARN("the agent did not end");
        ::unsetenv("SSH_AUTH_SOCK");
    }

private:
    std::string environment_;
};

}  // namespace

TEST_CASE("SSH-003 every kind of private key logs in", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    for (const char* kind : {"ed25519", "ecdsa", "rsa"}) {
        DYNAMIC_SECTION(kind) {
            SshHarness ssh;
            const auto connection = ssh.connect(ssh_target(sshd.port(), login_with_key(home.key(kind))));
            CHECK(ssh.execute(*connection, "echo in").out == "in\n");
        }
    }
}

TEST_CASE("SSH-004 an inline key logs in", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    Json options{{"host-key-check", false}, {"private-key", {{"key-data", home.read("key_ed25519")}}}};
    const auto connection = ssh.connect(ssh_target(sshd.port(), options.dump()));
    CHECK(ssh.execute(*connection, "echo in").out == "in\n");
}

TEST_CASE("SSH the usual key files are found in the home directory", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    home.write(".ssh/id_ed25519", home.read("key_ed25519"));
    std::filesystem::permissions(home.path() / ".ssh/id_ed25519", std::filesystem::perms::owner_read);
    SshHarness ssh;
    CHECK(ssh.connect(ssh_target(sshd.port(), R"({"host-key-check":false})"))->alive());
    CHECK(ssh.connect(ssh_target(sshd.port(), R"({"host-key-check":false,"load-config":false})"))->alive());
}

TEST_CASE("SSH-012 a refused login names the user, what was tried and what the server takes", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const TransportError stranger =
        ssh.refusal(ssh_target(sshd.port(), login_with_key(home.key("stranger"))));
    CHECK(stranger.info().kind() == "puppetlabs.tasks/connect-error");
    CHECK(stranger.info().issue_code() == "AUTH_ERROR");
    CHECK_THAT(one_line(stranger), Catch::StartsWith("Authentication failed for user root@127.0.0.1") &&
                                       Catch::Contains("key_stranger") && Catch::Contains("publickey"));

    const TransportError encrypted =
        ssh.refusal(ssh_target(sshd.port(), login_with_key(home.key("encrypted"))));
    CHECK(encrypted.info().issue_code() == "AUTH_ERROR");
    CHECK_THAT(one_line(encrypted), Catch::Contains("key_encrypted") && Catch::Contains("passphrase"));

    const TransportError nothing = ssh.refusal(ssh_target(sshd.port(), R"({"host-key-check":false})"));
    CHECK_THAT(one_line(nothing), Catch::Contains("there is no key, agent or password to log in with"));
}

TEST_CASE("SSH-008 the agent's keys log in, RSA too", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    for (const char* kind : {"ed25519", "rsa"}) {
        DYNAMIC_SECTION(kind) {
            const TestAgent agent(home, {"stranger", kind});
            SshHarness ssh;
            const auto connection = ssh.connect(ssh_target(sshd.port(), R"({"host-key-check":false})"));
            CHECK(ssh.execute(*connection, "echo in").out == "in\n");
            // SSH-007: no agent without the configuration.
            const TransportError error =
                ssh.refusal(ssh_target(sshd.port(), R"({"host-key-check":false,"load-config":false})"));
            CHECK(error.info().issue_code() == "AUTH_ERROR");
        }
    }
}

TEST_CASE("SSH-008 the agent signs for a key file that is encrypted", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    // The agent holds the key under another file's name.
    const TestAgent agent(home, {"ed25519"});
    std::filesystem::copy_file(home.key("ed25519"), home.path() / "locked");
    std::filesystem::copy_file(home.path() / "key_ed25519.pub", home.path() / "locked.pub");
    REQUIRE(std::system(
                fmt::format("ssh-keygen -q -p -N secret -f {}/locked", home.path().string()).c_str()) == 0);
    SshHarness ssh;
    CHECK(ssh.connect(ssh_target(sshd.port(), login_with_key(home.path() / "locked")))->alive());
}

/// The text between "tried " and the next semicolon of a refused login, paths cut down to names.
std::string tried_in(const TransportError& error, const SshHome& home) {
    std::string text = error.what();
    const std::size_t begin = text.find("tried ") + 6;
    text = text.substr(begin, text.find(';', begin) - begin);
    const std::string folder = home.path().string() + "/";
    for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
    return text;
}

TEST_CASE(
    "SSH-003 SSH-008 keys are offered in OpenSSH's order: the agent's, configured ones first, then files",
    "[ssh]") {
    const SshHome home;
    SshdSettings nobody;
    nobody.lines = {"AuthorizedKeysFile none", "MaxAuthTries 20"};
    const Sshd sshd(home, nobody);
    const TestAgent agent(home, {"stranger", "ecdsa"});
    const auto order = [&](const std::string& options) {
        SshHarness ssh;
        return tried_in(ssh.refusal(ssh_target(sshd.port(), options)), home);
    };
    const std::string other = "agent key key_stranger";
    CHECK(order(login_with_key(home.key("ecdsa"))) == "key_ecdsa, " + other);
    CHECK(order(login_with_key(home.key("ed25519"))) == other + ", agent key key_ecdsa, key_ed25519");
    home.write(".ssh/config", fmt::format("IdentityFile {}\nIdentityFile {}\nIdentitiesOnly yes\n",
                                          home.key("ed25519").string(), home.key("ecdsa").string()));
    CHECK(order(R"({"host-key-check":false})") == "key_ecdsa, key_ed25519");
}

TEST_CASE("SSH-003 an agent with many keys does not crowd out the private-key", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);  // MaxAuthTries is 6
    std::vector<std::string> strangers;
    for (int i = 0; i < 8; ++i) {
        strangers.push_back(fmt::format("other{}", i));
        const std::string make =
            fmt::format("ssh-keygen -q -t ed25519 -N '' -f {}", home.key(strangers.back()).string());
        REQUIRE(std::system(make.c_str()) == 0);
    }
    const TestAgent agent(home, strangers);
    for (const char* kind : {"ed25519", "rsa"}) {
        INFO(kind);
        SshHarness ssh;
        CHECK(ssh.connect(ssh_target(sshd.port(), login_with_key(home.key(kind))))->alive());
    }
}

TEST_CASE("SSH passwords go before keyboard-interactive, and both after a key where a server wants two",
          "[ssh]") {
    if (!Sshd::can_do_passwords()) {
        WARN("skipped: needs root and a mount namespace");
        return;
    }
    const SshHome home;
    SshdSettings settings;
    settings.passwords = true;
    settings.lines = {"PasswordAuthentication yes", "KbdInteractiveAuthentication yes"};
    {
        const Sshd sshd(home, settings);
        SshHarness ssh;
        TargetConfig target = ssh_target(sshd.port(), R"({"host-key-check":false})");
        target.password = "wrong";
        CHECK(tried_in(ssh.refusal(target), home) == "password, keyboard-interactive");
    }
    for (const char* second : {"password", "keyboard-interactive"}) {
        INFO(second);
        settings.lines.push_back(fmt::format("AuthenticationMethods publickey,{}", second));
        const Sshd sshd(home, settings);
        settings.lines.pop_back();
        SshHarness ssh;
        TargetConfig target = ssh_target(sshd.port(), login_with_key(home.key("ed25519")));
        CHECK(ssh.refusal(target).info().issue_code() == "AUTH_ERROR");
        target.password = Sshd::password;
        CHECK(ssh.connect(target)->alive());
    }
}

TEST_CASE("SSH passwords, plain and keyboard-interactive", "[ssh]") {
    if (!Sshd::can_do_passwords()) {
        WARN("skipped: needs root and a mount namespace");
        return;
    }
    const SshHome home;
    for (const char* method : {"password", "keyboard-interactive"}) {
        DYNAMIC_SECTION(method) {
            SshdSettings settings;
            settings.passwords = true;
            const bool plain = std::string_view(method) == "password";
            settings.lines = {fmt::format("PasswordAuthentication {}", plain ? "yes" : "no"),
                              fmt::format("KbdInteractiveAuthentication {}", plain ? "no" : "yes")};
            const Sshd sshd(home, settings);
            SshHarness ssh;
            TargetConfig target = ssh_target(sshd.port(), R"({"host-key-check":false})");
            target.password = Sshd::password;
            INFO(sshd.log());
            const auto connection = ssh.connect(target);
            CHECK(ssh.execute(*connection, "echo in").out == "in\n");

            target.password = "wrong";
            const TransportError error = ssh.refusal(target);
            CHECK(error.info().issue_code() == "AUTH_ERROR");
            CHECK_THAT(one_line(error), Catch::Contains(method) && !Catch::Contains("wrong"));
        }
    }
}

TEST_CASE("SSH-006 a host key is verified against known_hosts", "[ssh]") {
    const SshHome home;
    SshdSettings settings;
    settings.host_keys = {"ed25519", "ecdsa"};
    const Sshd sshd(home, settings);
    const std::string options = fmt::format(R"({{"private-key":"{}"}})", home.key("ed25519").string());
    const TargetConfig target = ssh_target(sshd.port(), options);

    SECTION("unknown") {
        SshHarness ssh;
        const TransportError error = ssh.refusal(target);
        CHECK(error.info().issue_code() == "HOST_KEY_ERROR");
        CHECK_THAT(one_line(error), Catch::StartsWith("Host key verification failed for 127.0.0.1") &&
                                        Catch::Contains(home.known_hosts().string()) &&
                                        Catch::Contains("SHA256:"));
    }
    SECTION("known, whichever type is there") {
        for (const char* kind : {"ed25519", "ecdsa"}) {
            home.write(".ssh/known_hosts", sshd.known_hosts_line(kind));
            SshHarness ssh;
            CHECK(ssh.connect(target)->alive());
        }
    }
    SECTION("changed") {
        std::string line = sshd.known_hosts_line("ed25519");
        const std::string key = home.read("key_ed25519.pub");
        home.write(".ssh/known_hosts", "# one\n" + line.substr(0, line.find(' ') + 1) + key);
        SshHarness ssh;
        const TransportError error = ssh.refusal(target);
        CHECK(error.info().issue_code() == "HOST_KEY_ERROR");
        CHECK_THAT(one_line(error), Catch::Contains(home.known_hosts().string() + ":2") &&
                                        Catch::Contains("ssh-keygen") && Catch::Contains("-R"));
    }
    SECTION("revoked") {
        home.write(".ssh/known_hosts", "@revoked " + sshd.known_hosts_line("ed25519") + "@revoked " +
                                           sshd.known_hosts_line("ecdsa"));
        SshHarness ssh;
        const TransportError error = ssh.refusal(target);
        CHECK(error.info().issue_code() == "HOST_KEY_ERROR");
        CHECK_THAT(one_line(error), Catch::Contains("revoked") && Catch::Contains("known_hosts:"));
    }
    SECTION("SSH-005 accept-new records it, and then it counts") {
        home.write(".ssh/config", "StrictHostKeyChecking accept-new\nHashKnownHosts no\n");
        {
            SshHarness ssh;
            CHECK(ssh.connect(target)->alive());
        }
        CHECK_THAT(home.read(".ssh/known_hosts"),
                   Catch::Contains(fmt::format("[127.0.0.1]:{} ", sshd.port())));
        SshHarness strict;
        const std::string checked =
            fmt::format(R"({{"private-key":"{}","host-key-check":true}})", home.key("ed25519").string());
        CHECK(strict.connect(ssh_target(sshd.port(), checked))->alive());
    }
}

TEST_CASE("SSH a server with only an RSA host key works, or the message names what is missing", "[ssh]") {
    const SshHome home;
    SshdSettings settings;
    settings.host_keys = {"rsa"};
    const Sshd sshd(home, settings);
    home.write(".ssh/known_hosts", sshd.known_hosts_line("rsa"));
    SshHarness ssh;
    // Without the configuration there is no way round through the ssh program.
    const std::string options =
        fmt::format(R"({{"private-key":"{}","load-config":false}})", home.key("ed25519").string());
    const TargetConfig target = ssh_target(sshd.port(), options);
    if (ssh::library_features().rsa_sha2) {
        CHECK(ssh.connect(target)->alive());
        return;
    }
    const TransportError error = ssh.refusal(target);
    CHECK(error.info().issue_code() == "CONNECT_ERROR");
    CHECK_THAT(one_line(error), Catch::Contains("needs libssh2 1.11"));
}

TEST_CASE("SSH-010 algorithm lists choose, and unknown names are dropped", "[ssh]") {
    const SshHome home;
    SshdSettings settings;
    settings.lines = {"KexAlgorithms ecdh-sha2-nistp256", "Ciphers aes256-ctr", "MACs hmac-sha2-256"};
    const Sshd sshd(home, settings);
    SshHarness ssh;
    CHECK(ssh.connect(ssh_target(sshd.port(), login_with_key(home.key("ed25519"))))->alive());
    const std::string chosen =
        R"(,"kex-algorithms":["nonsense","ecdh-sha2-nistp256"],"encryption-algorithms":["aes256-ctr"],)"
        R"("mac-algorithms":["defaults"])";
    CHECK(ssh.connect(ssh_target(sshd.port(), login_with_key(home.key("ed25519"), chosen)))->alive());

    // Not through the ssh program either, which would not keep to the list.
    const std::string other = R"(,"encryption-algorithms":["aes128-ctr"])";
    const TransportError no_common =
        ssh.refusal(ssh_target(sshd.port(), login_with_key(home.key("ed25519"), other)));
    CHECK_THAT(one_line(no_common),
               Catch::Contains("no common cipher: the server offers aes256-ctr; we offer aes128-ctr"));
    const std::string unknown = R"(,"kex-algorithms":["nonsense"])";
    const TransportError none =
        ssh.refusal(ssh_target(sshd.port(), login_with_key(home.key("ed25519"), unknown)));
    CHECK_THAT(one_line(none), Catch::Contains("supports none of the kex-algorithms listed (nonsense)"));
}

TEST_CASE("SSH-010 'defaults' stands for our own list", "[ssh]") {
    using namespace volley::transports::ssh;
    const Algorithms defaults = default_algorithms(AlgorithmKind::Cipher);
    CHECK(defaults.front().find("cbc") == std::string::npos);
    const Algorithms chosen = chosen_algorithms(AlgorithmKind::Cipher, {"aes256-cbc", "bogus", "defaults"});
    REQUIRE(chosen.size() == defaults.size() + 1);
    CHECK(chosen.front() == "aes256-cbc");
    CHECK(default_algorithms(AlgorithmKind::Kex).front() == "curve25519-sha256");
    const Algorithms known =
        prefer_known({"ssh-ed25519", "ecdsa-sha2-nistp256", "rsa-sha2-512", "ssh-rsa"}, {"ssh-rsa"});
    CHECK(known == Algorithms{"rsa-sha2-512", "ssh-rsa", "ssh-ed25519", "ecdsa-sha2-nistp256"});
}

TEST_CASE("SSH dropbear takes our keys, RSA under its old name", "[ssh]") {
    if (!Dropbear::installed() || !Sshd::can_do_passwords()) {
        WARN("skipped: needs dropbear, root and a mount namespace");
        return;
    }
    const SshHome home;
    home.write(".ssh/authorized_keys", home.read("authorized_keys"));
    const Dropbear server(home);
    SshHarness ssh;
    for (const char* kind : {"ed25519", "ecdsa", "rsa"}) {
        INFO(kind << server.log());
        const auto connection = ssh.connect(ssh_target(server.port(), login_with_key(home.key(kind))));
        const auto result = ssh.execute(*connection, "cat; echo err >&2; exit 7", "through dropbear");
        CHECK(result.out == "through dropbear");
        CHECK(result.err == "err\n");
        CHECK(result.status.code == 7);
    }
}
