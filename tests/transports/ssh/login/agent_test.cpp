#include "transports/ssh/login/agent.hpp"

#include <atomic>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/error.hpp"
#include "support/text.hpp"
#include "tests/transports/ssh/ssh_tools_fixture.hpp"
#include "transports/ssh/keys/wire_encoding.hpp"

namespace volley::transports::ssh {
namespace {

using testing::must_run;
using testing::TempDir;
using testing::wait_for;
using namespace std::chrono_literals;

/// A real ssh-agent that ends with the test.
class RealAgent {
public:
    explicit RealAgent(const TempDir& dir) : socket_((dir / "agent").string()) {
        const std::string out = must_run("ssh-agent -s -a '" + socket_ + "'");
        const std::size_t at = out.find("SSH_AGENT_PID=") + 14;
        pid_ = out.substr(at, out.find(';', at) - at);
    }
    ~RealAgent() {
        testing::run_shell("kill " + pid_);
        // It removes its socket as it ends; until then another cannot take the place.
        for (int i = 0; i < 1000 && std::filesystem::exists(socket_); ++i) std::this_thread::sleep_for(10ms);
    }
    RealAgent(const RealAgent&) = delete;
    RealAgent& operator=(const RealAgent&) = delete;
    const std::string& socket() const { return socket_; }
    void add(const std::filesystem::path& key) {
        must_run("SSH_AUTH_SOCK='" + socket_ + "' ssh-add -q '" + key.string() + "'");
    }

private:
    std::string socket_, pid_;
};

/// Answers every connection's requests with the same bytes, from a thread of its own.
class FakeAgent {
public:
    FakeAgent(const TempDir& dir, std::string reply)
        : path_((dir / "fake").string()),
          acceptor_(context_, path_),
          reply_(std::move(reply)),
          thread_([this] { run(); }) {}
    ~FakeAgent() {
        stopping_ = true;
        boost::asio::local::stream_protocol::socket wake(context_);
        boost::system::error_code ignored;
        wake.connect(path_, ignored);
        thread_.join();
        std::filesystem::remove(path_);
    }
    FakeAgent(const FakeAgent&) = delete;
    FakeAgent& operator=(const FakeAgent&) = delete;
    const std::string& socket() const { return path_; }

private:
    void run() {
        std::vector<boost::asio::local::stream_protocol::socket> open;
        while (true) {
            boost::system::error_code code;
            auto peer = acceptor_.accept(code);
            if (stopping_ || code) return;
            std::string request(5, '\0');
            boost::asio::read(peer, boost::asio::buffer(request), code);
            boost::asio::write(peer, boost::asio::buffer(reply_), code);
            open.push_back(std::move(peer));  // silent from now on
        }
    }

    boost::asio::io_context context_;
    std::string path_;
    boost::asio::local::stream_protocol::acceptor acceptor_;
    std::string reply_;
    std::atomic<bool> stopping_ = false;
    std::thread thread_;
};

PublicKey agent_published(const std::filesystem::path& key) {
    return *parse_public_key(testing::slurp(key.string() + ".pub"));
}

std::string failure_of(Runtime& runtime, Task<std::vector<PublicKey>> task) {
    try {
        wait_for(runtime, std::move(task));
    } catch (const Error& error) {
        CHECK(error.info().issue_code() == "AUTH_ERROR");
        return error.what();
    }
    FAIL("the agent was believed");
    return {};
}

TEST_CASE("a real agent lists its keys and signs with each of them", "[ssh][agent]") {
    const TempDir dir;
    RealAgent real(dir);
    const std::string at = "cd '" + dir.path().string() + "' && ";
    must_run(at +
             "ssh-keygen -q -t ed25519 -N '' -f ed && ssh-keygen -q -t rsa -b 2048 -N '' -f rsa && "
             "ssh-keygen -q -t "
             "ecdsa -N '' -f ec");
    for (const std::string name : {"ed", "rsa", "ec"}) real.add(dir / name);
    Runtime runtime;
    Agent agent(runtime, real.socket());
    const auto keys = wait_for(runtime, agent.identities());
    REQUIRE(keys.size() == 3);
    CHECK(keys[0].type == "ssh-ed25519");
    CHECK(keys[0].blob == agent_published(dir / "ed").blob);
    CHECK(keys[1].blob == agent_published(dir / "rsa").blob);
    CHECK(keys[2].type == "ecdsa-sha2-nistp256");

    const auto local = parse_private_key(testing::slurp(dir / "ed"), "ed");
    // ed25519 and PKCS#1 signatures are deterministic, so the agent's must be ours.
    CHECK(wait_for(runtime, agent.sign(keys[0].blob, "data", AgentFlags::None)) ==
          local->sign("data", "ssh-ed25519"));
    const auto rsa = parse_private_key(testing::slurp(dir / "rsa"), "rsa");
    for (const std::string_view algorithm : rsa->algorithms()) {
        INFO(algorithm);
        CHECK(wait_for(runtime, agent.sign(keys[1].blob, "data", agent_flags(algorithm))) ==
              rsa->sign("data", algorithm));
    }
    CHECK(blob_type(wait_for(runtime, agent.sign(keys[2].blob, "data", AgentFlags::None))) ==
          "ecdsa-sha2-nistp256");
    CHECK_THROWS_AS(wait_for(runtime, agent.sign("not a key", "data", AgentFlags::None)), Error);

    SECTION("many at once take turns") {
        int signatures = 0;
        for (int i = 0; i < 50; ++i) {
            boost::asio::co_spawn(
                runtime.loop(), agent.sign(keys[0].blob, std::to_string(i), AgentFlags::None),
                [&signatures, &local, i](std::exception_ptr error, const std::string& blob) {
                    if (!error && blob == local->sign(std::to_string(i), "ssh-ed25519")) ++signatures;
                });
        }
        runtime.loop().restart();
        runtime.loop().run();
        CHECK(signatures == 50);
    }
    SECTION("it declines when locked") {
        const auto script = dir.write("askpass", "#!/bin/sh\necho secret\n");
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        must_run("SSH_AUTH_SOCK='" + real.socket() + "' SSH_ASKPASS_REQUIRE=force SSH_ASKPASS='" +
                 script.string() + "' ssh-add -x");
        CHECK_THROWS_AS(wait_for(runtime, agent.sign(keys[0].blob, "data", AgentFlags::None)), Error);
    }
}

TEST_CASE("an agent that was restarted is asked again on a new connection", "[ssh][agent]") {
    const TempDir dir;
    must_run("ssh-keygen -q -t ed25519 -N '' -f '" + (dir / "ed").string() + "'");
    const std::string blob = agent_published(dir / "ed").blob;
    Runtime runtime;
    Agent agent(runtime, (dir / "agent").string());
    for (int i = 0; i < 2; ++i) {
        RealAgent real(dir);
        real.add(dir / "ed");
        CHECK(blob_type(wait_for(runtime, agent.sign(blob, "data", AgentFlags::None))) == "ssh-ed25519");
    }
}

TEST_CASE("an agent that is not there, hangs or talks nonsense is an error in time", "[ssh][agent]") {
    const TempDir dir;
    Runtime runtime;
    SECTION("no socket") {
        Agent agent(runtime, (dir / "none").string());
        CHECK(failure_of(runtime, agent.identities()).find("none") != std::string::npos);
    }
    SECTION("a path that is too long") {
        Agent agent(runtime, "/" + std::string(300, 'x'));
        failure_of(runtime, agent.identities());
    }
    SECTION("silence") {
        const FakeAgent fake(dir, "");
        Agent agent(runtime, fake.socket(), 200ms);
        CHECK(failure_of(runtime, agent.identities()).find("before the timeout") != std::string::npos);
    }
    SECTION("replies made to hurt") {
        const std::string replies[] = {
            std::string("\xFF\xFF\xFF\xFF", 4),                          // four gigabytes
            std::string("\0\0\0\0", 4),                                  // nothing
            std::string("\0\0\0\x01\x05", 5),                            // failure
            std::string("\0\0\0\x01\x0C", 5),                            // no count
            std::string("\0\0\0\x05\x0C\xFF\xFF\xFF\xFF", 9),            // four billion keys
            std::string("\0\0\0\x09\x0C\0\0\0\x01\xFF\xFF\xFF\xFF", 13)  // a key of four gigabytes
        };
        for (const std::string& reply : replies) {
            const FakeAgent fake(dir, reply);
            Agent agent(runtime, fake.socket(), 60s);
            failure_of(runtime, agent.identities());
        }
    }
    SECTION("a signature that is none") {
        std::string reply = std::string("\0\0\0\x09", 4) + "\x0E";
        put_string(reply, std::string("\xFF\xFF\xFF\xFF", 4));
        const FakeAgent fake(dir, reply);
        Agent agent(runtime, fake.socket(), 60s);
        CHECK_THROWS_AS(wait_for(runtime, agent.sign("key", "data", AgentFlags::None)), Error);
    }
}

TEST_CASE("ENV-006 an empty SSH_AUTH_SOCK disables the agent", "[ssh][agent]") {
    const char* before = std::getenv("SSH_AUTH_SOCK");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("SSH_AUTH_SOCK", "", 1);
    CHECK(agent_socket_from_environment().empty());
    ::unsetenv("SSH_AUTH_SOCK");
    CHECK(agent_socket_from_environment().empty());
    ::setenv("SSH_AUTH_SOCK", "/run/agent", 1);
    CHECK(agent_socket_from_environment() == "/run/agent");
    if (before == nullptr) {
        ::unsetenv("SSH_AUTH_SOCK");
    } else {
        ::setenv("SSH_AUTH_SOCK", kept.c_str(), 1);
    }
}

}  // namespace
}  // namespace volley::transports::ssh
