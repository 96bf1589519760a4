// The way to a server: dead ones, busy ones, jump hosts and proxy commands.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "support/unique_fd.hpp"
#include "tests/large_text.hpp"
#include "tests/transports/ssh/ssh_harness.hpp"
#include "tests/transports/ssh/sshd_fixture.hpp"
#include "transports/net/resolver.hpp"

using namespace volley;
using namespace volley::tests;
using namespace volley::transports;

namespace {

std::string route_with_key(const SshHome& home, const std::string& more = "") {
    return fmt::format(R"({{"private-key":"{}","host-key-check":false{}}})", home.key("ed25519").string(),
                       more);
}

/// A port where connections are accepted and nothing is ever said.
class SilentServer {
public:
    explicit SilentServer(int backlog = 16)
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), port_(free_port()) {
        const sockaddr_in own = address();
        REQUIRE(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0);
        REQUIRE(::listen(socket_.get(), backlog) == 0);
    }
    int port() const { return port_; }
    sockaddr_in address() const {
        sockaddr_in found{};
        found.sin_family = AF_INET;
        found.sin_port = htons(static_cast<std::uint16_t>(port_));
        found.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return found;
    }

private:
    UniqueFd socket_;
    int port_;
};

/// A port that answers no connection request, like a firewall: whoever connects waits for minutes.
class BlackHole {
public:
    BlackHole() : listener_(0) {
        for (UniqueFd& each : fill_) {
            each.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
            const sockaddr_in address = listener_.address();
            ::connect(each.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        }
    }
    int port() const { return listener_.port(); }

private:
    SilentServer listener_;
    UniqueFd fill_[4];
};

/// Connects to many targets at once; the errors by text.
std::map<std::string, int> connect_all(SshHarness& ssh, const std::vector<TargetConfig>& targets) {
    std::map<std::string, int> errors;
    std::vector<std::unique_ptr<Connection>> connections;
    std::size_t left = targets.size();
    const auto one = [](SshHarness& harness, TargetConfig target,
                        std::vector<std::unique_ptr<Connection>>& kept, std::map<std::string, int>& failed,
                        std::size_t& count) -> Task<void> {
        try {
            kept.push_back(co_await harness.transport().connect(std::move(target)));
        } catch (const std::exception& error) {
            ++failed[error.what()];
        }
        --count;
    };
    for (const TargetConfig& target : targets) {
        boost::asio::co_spawn(ssh.runtime().loop(), one(ssh, target, connections, errors, left),
                              [](std::exception_ptr) {});
    }
    CHECK(ssh.wait_until([&] { return left == 0; }));
    for (const auto& connection : connections) ssh.close(*connection);
    return errors;
}

}  // namespace

TEST_CASE("SSH-012 a server that accepts and says nothing is a timeout that carries the seconds", "[ssh]") {
    const SshHome home;
    const SilentServer server;
    SshHarness ssh;
    const TransportError error =
        ssh.refusal(ssh_target(server.port(), route_with_key(home, R"(,"connect-timeout":1)")));
    CHECK(error.info().issue_code() == "CONNECT_ERROR");
    CHECK_THAT(error.what(), Catch::StartsWith(fmt::format(
                                 "Timeout after 1 seconds connecting to 127.0.0.1:{}", server.port())));
}

TEST_CASE("SSH-012 a refused connection and an unknown name are reported at once", "[ssh]") {
    const SshHome home;
    SshHarness ssh;
    const TransportError refused = ssh.refusal(ssh_target(free_port(), route_with_key(home)));
    CHECK(refused.info().issue_code() == "CONNECT_ERROR");
    CHECK_THAT(refused.what(),
               Catch::StartsWith("Failed to connect to 127.0.0.1") && Catch::Contains("refused"));

    TargetConfig nowhere = ssh_target(22, route_with_key(home));
    nowhere.host = "no-such-host.invalid";
    const TransportError unknown = ssh.refusal(nowhere);
    CHECK(unknown.info().issue_code() == "CONNECT_ERROR");
    CHECK_THAT(unknown.what(), Catch::Contains("could not resolve host name no-such-host.invalid"));

    TargetConfig hostless = ssh_target(22, route_with_key(home));
    hostless.host.clear();
    CHECK_THAT(ssh.refusal(hostless).what(), Catch::Contains("does not have a host"));
}

TEST_CASE("SSH-016 running out of descriptors has its own kind", "[ssh]") {
    const SshHome home;
    SshHarness ssh;
    const TargetConfig target = ssh_target(free_port(), route_with_key(home));
    (void)ssh.refusal(target);  // everything that needs a descriptor of its own is open now
    rlimit old{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &old) == 0);
    rlimit low = old;
    const UniqueFd next(::dup(0));
    low.rlim_cur = static_cast<rlim_t>(next.get()) + 1;
    ::setrlimit(RLIMIT_NOFILE, &low);
    std::string kind;
    try {
        auto connection = ssh.connect(target);
    } catch (const Error& error) {
        kind = error.info().kind();
    }
    ::setrlimit(RLIMIT_NOFILE, &old);
    CHECK(kind == "bolt/too-many-files");
}

TEST_CASE("SSH connections that MaxStartups refuses are tried again", "[ssh]") {
    const SshHome home;
    SshdSettings settings;
    settings.lines = {"MaxStartups 2:100:2"};
    const Sshd sshd(home, settings);
    SshHarness ssh;
    const std::vector<TargetConfig> targets(24, ssh_target(sshd.port(), route_with_key(home)));
    for (const auto& [text, count] : connect_all(ssh, targets)) FAIL(count << " times: " << text);
}

TEST_CASE("SSH-009 two jump hosts in a row reach a server", "[ssh]") {
    const SshHome home;
    const Sshd first(home), second(home), target(home);
    SshHarness ssh;
    const std::string jumps =
        fmt::format(R"(,"proxyjump":"root@127.0.0.1:{},127.0.0.1:{}")", first.port(), second.port());
    const auto connection = ssh.connect(ssh_target(target.port(), route_with_key(home, jumps)));
    const std::string big(3'000'000, 'j');
    CHECK(volley::testing::difference(ssh.execute(*connection, "cat", big).out, big) == "");
    CHECK(
        ssh.execute(*connection, "echo $SSH_CONNECTION").out.ends_with(fmt::format(" {}\n", target.port())));
    CHECK_THAT(target.log(), Catch::Contains("Accepted publickey"));

    SECTION("and its loss is reported") {
        using namespace boost::asio::experimental::awaitable_operators;
        second.kill_sessions();
        CHECK_THROWS_WITH(ssh.execute(*connection, "sleep 5"), Catch::Contains("lost"));
    }
}

TEST_CASE("SSH-009 targets behind one jump host share its session", "[ssh]") {
    const SshHome home;
    const Sshd jump(home), target(home);
    home.write(".ssh/config",
               fmt::format("Host 127.0.0.1\n  ProxyJump bastion\nHost bastion\n  HostName 127.0.0.1\n"
                           "  Port {}\n  User root\n  ProxyJump none\n",
                           jump.port()));
    SshHarness ssh;
    const std::vector<TargetConfig> targets(30, ssh_target(target.port(), route_with_key(home)));
    for (const auto& [text, count] : connect_all(ssh, targets)) FAIL(count << " times: " << text);
    std::size_t logins = 0;
    const std::string log = jump.log();
    for (std::size_t at = 0; (at = log.find("Accepted publickey", at)) != std::string::npos; ++at) ++logins;
    CHECK(logins >= 1);
    CHECK(logins <= 8);
}

TEST_CASE("SSH-009 a dead target behind a jump host does not hold up the others", "[ssh]") {
    const SshHome home;
    const Sshd jump(home), target(home);
    const std::string through = fmt::format(R"(,"proxyjump":"root@127.0.0.1:{}")", jump.port());
    SshHarness ssh;
    std::vector<TargetConfig> targets(10, ssh_target(target.port(), route_with_key(home, through)));
    targets.insert(targets.begin(), ssh_target(free_port(), route_with_key(home, through)));
    const BlackHole black_hole;
    // One that ends by itself, and one that would hold everybody up for longer than the test waits.
    const auto dead = [&](int seconds) {
        return ssh_target(black_hole.port(),
                          route_with_key(home, through + fmt::format(R"(,"connect-timeout":{})", seconds)));
    };
    targets.insert(targets.begin() + 1, dead(3));
    boost::asio::cancellation_signal given_up;
    bool waits = true;
    boost::asio::co_spawn(
        ssh.runtime().loop(), ssh.transport().connect(dead(900)),
        boost::asio::bind_cancellation_slot(
            given_up.slot(), [&](std::exception_ptr, std::unique_ptr<Connection>) { waits = false; }));
    const auto errors = connect_all(ssh, targets);
    CHECK(waits);
    given_up.emit(boost::asio::cancellation_type::terminal);
    REQUIRE(ssh.wait_until([&] { return !waits; }));
    int failed = 0;
    for (const auto& [text, count] : errors) {
        failed += count;
        CHECK_THAT(text, Catch::Contains("127.0.0.1"));
    }
    CHECK(failed == 2);
}

TEST_CASE("SSH-009 a jump host that refuses the login is named", "[ssh]") {
    const SshHome home;
    const SshHome* const keys = &home;
    SshdSettings nobody;
    nobody.lines = {"AuthorizedKeysFile none"};
    const Sshd jump(home, nobody), target(home);
    SshHarness ssh;
    const std::string through = fmt::format(R"(,"proxyjump":"root@127.0.0.1:{}")", jump.port());
    const TransportError error = ssh.refusal(ssh_target(target.port(), route_with_key(*keys, through)));
    CHECK_THAT(error.what(),
               Catch::Contains("jump host 127.0.0.1") && Catch::Contains("Authentication failed"));
}

TEST_CASE("SSH a ProxyCommand carries the connection", "[ssh]") {
    const SshHome home;
    const Sshd target(home);
    const std::string relay = "bash -c 'exec 3<>/dev/tcp/%h/%p; cat <&3 & cat >&3; kill $! 2>/dev/null'";
    home.write(".ssh/config", fmt::format("Host proxied\n  HostName 127.0.0.1\n  ProxyCommand {}\n", relay));
    SshHarness ssh;
    // Closing does not wait for the relay to end by itself: that would last longer than the test.
    TargetConfig proxied = ssh_target(target.port(), route_with_key(home, R"(,"disconnect-timeout":900)"));
    proxied.host = "proxied";
    const auto connection = ssh.connect(proxied);
    const std::string big(500'000, 'p');
    CHECK(volley::testing::difference(ssh.execute(*connection, "cat", big).out, big) == "");
    ssh.close(*connection);

    home.write(".ssh/config", "Host proxied\n  ProxyCommand false\n");
    SshHarness again;
    const TransportError error = again.refusal(proxied);
    CHECK_THAT(error.what(), Catch::Contains("before it sent its SSH version"));
}

TEST_CASE("SSH addresses of both families take turns", "[ssh]") {
    SshHarness ssh;
    transports::Resolver resolver(ssh.runtime().loop());
    const auto resolve = [](transports::Resolver& r, std::string host) -> Task<transports::Endpoints> {
        co_return co_await r.resolve(std::move(host), 22);
    };
    CHECK(ssh.run(resolve(resolver, "::1")).front().address().is_v6());
    CHECK(ssh.run(resolve(resolver, "127.0.0.7")).front().address().to_string() == "127.0.0.7");
    const auto local = ssh.run(resolve(resolver, "localhost"));
    REQUIRE_FALSE(local.empty());
    CHECK(local.front().address().is_loopback());
    CHECK(ssh.run(resolve(resolver, "localhost")) == local);
}
