// The ssh engine against real servers.
#include <fmt/format.h>
#include <signal.h>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <catch2/catch.hpp>

#include "tests/large_text.hpp"
#include "tests/transports/ssh/ssh_harness.hpp"
#include "tests/transports/ssh/sshd_fixture.hpp"

using namespace volley;
using namespace volley::tests;
using namespace volley::transports;

namespace {

using namespace std::chrono_literals;

/// Options that log in with one key and do not check the host key.
std::string with_key(const SshHome& home, const std::string& kind, const std::string& more = "") {
    return fmt::format(R"({{"private-key":"{}","host-key-check":false{}}})", home.key(kind).string(), more);
}

/// Runs one command of its own and records its output.
Task<void> run_one(Connection& connection, std::string line, Collected& sink, ExitStatus& status) {
    Command command(std::move(line));
    NoInput input;
    status = co_await connection.execute(command, input, sink);
}

Task<void> sleep_for(Runtime& runtime, std::chrono::milliseconds delay) {
    boost::asio::steady_timer timer(runtime.loop(), delay);
    co_await timer.async_wait(boost::asio::use_awaitable);
}

/// Ends when something has arrived; after a minute in any case.
Task<void> until_output(Runtime& runtime, const Collected& sink) {
    for (int looks = 0; looks < 6000 && sink.out().empty(); ++looks) co_await sleep_for(runtime, 10ms);
}

/// True when the process, whose id a command has written, was still there; now it is not.
bool was_left_behind(const SshHome& home, const std::string& file) {
    return ::kill(static_cast<pid_t>(std::stol(home.read(file))), SIGKILL) == 0;
}

/// Bytes without end and a count of how many were taken.
struct Pattern final : Input {
    explicit Pattern(std::size_t size) : left(size) {}
    std::size_t read(std::span<char> buffer) override {
        const std::size_t n = std::min(buffer.size(), left);
        std::fill_n(buffer.begin(), n, 'x');
        left -= n;
        return n;
    }
    bool finished() const noexcept override { return left == 0; }
    std::size_t left;
};

}  // namespace

TEST_CASE("SSH a command's output, exit code and input come through", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    CHECK(connection->user() == "root");

    const auto plain = ssh.execute(*connection, "echo out; echo err >&2; exit 3");
    CHECK(plain.out == "out\n");
    CHECK(plain.err == "err\n");
    CHECK(plain.status.code == 3);
    CHECK(plain.status.signal.empty());

    const auto echoed = ssh.execute(*connection, "cat", "some input");
    CHECK(echoed.out == "some input");
    CHECK(echoed.status.code == 0);

    CHECK(ssh.execute(*connection, "cat; echo end").out == "end\n");  // input is closed
    CHECK(ssh.execute(*connection, "printf 'a\\000b\\377'").out == std::string("a\0b\xff", 4));
    ssh.close(*connection);
    CHECK_FALSE(connection->alive());
}

TEST_CASE("SSH a command killed by a signal has 128 and the signal's number", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    const auto killed = ssh.execute(*connection, "kill -KILL $$");
    CHECK(killed.status.code == 137);
    CHECK(killed.status.signal == "KILL");
    CHECK(ssh.execute(*connection, "kill -TERM $$").status.code == 143);
    CHECK(ssh.execute(*connection, "exit 255").status.code == 255);
}

TEST_CASE("SSH much output on both streams and much input arrive whole", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    const auto both = ssh.execute(
        *connection,
        "head -c 6000000 /dev/zero | tr '\\0' e >&2 & head -c 7000000 /dev/zero | tr '\\0' o; wait");
    CHECK(volley::testing::difference(both.out, std::string(7000000, 'o')) == "");
    CHECK(volley::testing::difference(both.err, std::string(6000000, 'e')) == "");

    Pattern input(20'000'000);
    Collected sink;
    Command count("wc -c");
    CHECK(ssh.run(connection->execute(count, input, sink)).code == 0);
    CHECK(sink.out() == "20000000\n");
    const std::string big(5'000'000, 'b');
    CHECK(volley::testing::difference(ssh.execute(*connection, "cat", big).out, big) == "");
}

TEST_CASE("SSH keys are renewed in the middle of a transfer", "[ssh]") {
    const SshHome home;
    SshdSettings settings;
    settings.lines = {"RekeyLimit 500K"};
    const Sshd sshd(home, settings);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    const std::string big(3'000'000, 'r');
    const auto echoed = ssh.execute(*connection, "cat", big);
    CHECK(echoed.status.code == 0);
    CHECK(volley::testing::difference(echoed.out, big) == "");
    CHECK(ssh.execute(*connection, "echo still here").out == "still here\n");
}

TEST_CASE("SSH a command that ends without reading its input, or closes its output early, does no harm",
          "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    Pattern input(50'000'000);
    Collected sink;
    Command deaf("exit 4");
    CHECK(ssh.run(connection->execute(deaf, input, sink)).code == 4);
    CHECK(ssh.execute(*connection, "exec >&- 2>&-; sleep 0.3; exit 5").status.code == 5);
}

TEST_CASE("SH-024 a command has ended when its process has, whoever still holds its output", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    const auto daemon = [&](const std::string& name) {
        return "sleep 300 & echo $! >" + (home.path() / name).string() + "; ";
    };
    const auto result =
        ssh.execute(*connection, daemon("first") + "head -c 300000 /dev/zero | tr '\\0' d; exit 6");
    CHECK(was_left_behind(home, "first"));
    CHECK(result.status.code == 6);
    CHECK(volley::testing::difference(result.out, std::string(300000, 'd')) == "");
    CHECK(ssh.execute(*connection, daemon("second") + "kill -KILL $$").status.signal == "KILL");
    CHECK(was_left_behind(home, "second"));
}

TEST_CASE("SSH-011 tty starts the command on a terminal", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    CHECK(ssh.execute(*connection, "test -t 1 && echo yes", "", true).out == "yes\r\n");
    CHECK(ssh.execute(*connection, "test -t 1 || echo no").out == "no\n");
}

TEST_CASE("SSH several commands run side by side on one session", "[ssh]") {
    using namespace boost::asio::experimental::awaitable_operators;
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    Collected sinks[4];
    ExitStatus status[4];
    // Each waits until all four are there, for a minute.
    std::filesystem::create_directory(home.path() / "here");
    const auto line = [&](int i) {
        return fmt::format(
            "cd {} && touch {} && n=0; while [ $(ls | wc -l) -lt 4 ]; do n=$((n + 1)); [ $n -lt 600 ] || "
            "exit 97; "
            "sleep 0.1; done; head -c 300000 /dev/zero | tr '\\0' {}; exit {}",
            (home.path() / "here").string(), i, i, i);
    };
    ssh.run(run_one(*connection, line(0), sinks[0], status[0]) &&
            run_one(*connection, line(1), sinks[1], status[1]) &&
            run_one(*connection, line(2), sinks[2], status[2]) &&
            run_one(*connection, line(3), sinks[3], status[3]));
    for (int i = 0; i < 4; ++i) {
        CHECK(volley::testing::difference(sinks[i].out(), std::string(300000, static_cast<char>('0' + i))) ==
              "");
        CHECK(status[i].code == i);
    }
}

TEST_CASE("SSH commands take turns on a server with MaxSessions 1", "[ssh]") {
    using namespace boost::asio::experimental::awaitable_operators;
    const SshHome home;
    SshdSettings settings;
    settings.lines = {"MaxSessions 1"};
    const Sshd sshd(home, settings);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    Collected sinks[3];
    ExitStatus status[3];
    ssh.run(run_one(*connection, "sleep 0.2; echo 0", sinks[0], status[0]) &&
            run_one(*connection, "sleep 0.2; echo 1", sinks[1], status[1]) &&
            run_one(*connection, "sleep 0.2; echo 2", sinks[2], status[2]));
    for (int i = 0; i < 3; ++i) CHECK(sinks[i].out() == fmt::format("{}\n", i));
    for (int i = 0; i < 20; ++i) CHECK(ssh.execute(*connection, "echo again").out == "again\n");
}

TEST_CASE("SSH a server that allows no commands is reported", "[ssh]") {
    const SshHome home;
    SshdSettings settings;
    settings.lines = {"MaxSessions 0"};
    const Sshd sshd(home, settings);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    CHECK_THROWS_WITH(ssh.execute(*connection, "true"), Catch::Contains("refused to run a command"));
}

TEST_CASE("SSH a cancelled command leaves the session usable", "[ssh]") {
    using namespace boost::asio::experimental::awaitable_operators;
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    Collected sink;
    ExitStatus status;
    const auto wait_for_either = [](Task<void> a, Task<void> b) -> Task<void> {
        co_await (std::move(a) || std::move(b));
    };
    ssh.run(wait_for_either(run_one(*connection, "echo begun; sleep 300.4711; echo never", sink, status),
                            until_output(ssh.runtime(), sink)));
    CHECK(sink.out() == "begun\n");
    CHECK(connection->alive());
    CHECK(ssh.execute(*connection, "echo next").out == "next\n");
    // It does not run on unattended.
    const auto unattended = [&] { return ssh.execute(*connection, "pgrep -fx 'sleep 300[.]4711'").out; };
    for (int looks = 0; looks < 600 && !unattended().empty(); ++looks)
        ssh.run(sleep_for(ssh.runtime(), 100ms));
    CHECK(unattended().empty());
    // Cancelled at every stage: while the channel opens, while the command is asked for.
    for (const auto delay : {0ms, 1ms, 2ms, 5ms, 10ms, 20ms}) {
        ssh.run(
            wait_for_either(run_one(*connection, "sleep 20", sink, status), sleep_for(ssh.runtime(), delay)));
        CHECK(ssh.execute(*connection, "echo next").out == "next\n");
    }
}

TEST_CASE("SSH what the output's receiver throws ends the command", "[ssh]") {
    struct ThrowingSink final : OutputSink {
        void on_output(Stream, std::string_view) override { throw std::runtime_error("enough"); }
    };
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    ThrowingSink sink;
    NoInput input;
    Command command("echo x; sleep 20");
    CHECK_THROWS_WITH(ssh.run(connection->execute(command, input, sink)), "enough");
    CHECK(ssh.execute(*connection, "echo next").out == "next\n");
}

TEST_CASE("SSH a server killed in the middle of a command is a clear error and output so far is kept",
          "[ssh]") {
    using namespace boost::asio::experimental::awaitable_operators;
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    Collected sink;
    ExitStatus status;
    const auto kill_later = [](Runtime& runtime, const Collected& output, const Sshd& server) -> Task<void> {
        co_await until_output(runtime, output);
        server.kill_sessions();
    };
    try {
        ssh.run(run_one(*connection, "echo begun; sleep 20", sink, status) &&
                kill_later(ssh.runtime(), sink, sshd));
        FAIL("no error");
    } catch (const TransportError& error) {
        CHECK(error.info().kind() == "puppetlabs.tasks/connect-error");
        CHECK(error.info().issue_code() == "EXEC_ERROR");
        CHECK_THAT(error.what(),
                   Catch::Contains("127.0.0.1") && Catch::Contains("lost while a command was running"));
    }
    CHECK(sink.out() == "begun\n");
    CHECK_FALSE(connection->alive());
    CHECK_THROWS_AS(ssh.execute(*connection, "true"), TransportError);
}

TEST_CASE("SSH an idle session notices that the server is gone", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    CHECK(ssh.execute(*connection, "true").status.code == 0);
    sshd.kill_sessions();
    CHECK(ssh.wait_until([&] { return !connection->alive(); }));
}

TEST_CASE("SSH an idle session answers the server's own keepalive", "[ssh]") {
    const SshHome home;
    SshdSettings settings;
    settings.lines = {"ClientAliveInterval 1", "ClientAliveCountMax 60", "LogLevel DEBUG3"};
    const Sshd sshd(home, settings);
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    CHECK(ssh.execute(*connection, "true").status.code == 0);
    // The engine does not know the request, and that is the answer: SSH_MSG_REQUEST_FAILURE, each time.
    CHECK(ssh.wait_until([&] {
        const std::string log = sshd.log();
        const std::size_t first = log.find("receive packet: type 82");
        return first != std::string::npos &&
               log.find("receive packet: type 82", first + 1) != std::string::npos;
    }));
    CHECK(connection->alive());
    CHECK(ssh.execute(*connection, "echo here").out == "here\n");
}

TEST_CASE("SSH a peer that stops answering is given up after the keepalive's time", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    home.write(".ssh/config", "ServerAliveInterval 1\nServerAliveCountMax 2\n");
    SshHarness ssh;
    const auto connection = ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519")));
    CHECK_THROWS_WITH(ssh.execute(*connection, "sleep 0.2; kill -STOP $PPID; sleep 300"),
                      Catch::Contains("no answer for"));
    // The stopped server process ends with its connection.
    sshd.kill_sessions();
}

TEST_CASE("SSH-013 closing a session that does not answer ends within disconnect-timeout", "[ssh]") {
    const SshHome home;
    const Sshd sshd(home);
    SshHarness ssh;
    const auto connection =
        ssh.connect(ssh_target(sshd.port(), with_key(home, "ed25519", R"(,"disconnect-timeout":1)")));
    const std::string wait_and_stop = fmt::format(
        "cd {} && (until [ -e go ]; do sleep 0.02; done; kill -STOP $PPID; touch stopped) >&- 2>&- <&- & "
        "exit 0",
        home.path().string());
    CHECK(ssh.execute(*connection, wait_and_stop).status.code == 0);
    home.write("go", "");
    REQUIRE(ssh.wait_until([&] { return std::filesystem::exists(home.path() / "stopped"); }));
    Collected sink;
    ExitStatus status;
    const auto close_while_running = [](Connection& session, Collected& output,
                                        ExitStatus& code) -> Task<void> {
        using namespace boost::asio::experimental::awaitable_operators;
        co_await (run_one(session, "true", output, code) || session.close());
    };
    const auto start = std::chrono::steady_clock::now();
    ssh.run(close_while_running(*connection, sink, status));
    CHECK(std::chrono::steady_clock::now() - start > 900ms);  // and it did end
    CHECK_FALSE(connection->alive());
    sshd.kill_sessions();
}
