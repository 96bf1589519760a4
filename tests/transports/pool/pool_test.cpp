#include "transports/pool.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/transports/process/loop.hpp"
#include "transports/errors.hpp"
#include "transports/pooled_connection.hpp"

namespace volley::transports {

using namespace std::chrono_literals;
using testing::Collector;
using testing::finish;

namespace {

// What a network does to sessions, without one.
struct Network {
    int connects = 0;
    int refuse = 0;       // so many connects fail
    int lose_before = 0;  // so many commands find their session lost
    bool lose_during = false;
    int open = 0;
    int closed = 0;
    int ran = 0;
    std::chrono::milliseconds close_takes{0};
};

class FakeConnection final : public Connection, private PowerShellSession {
public:
    FakeConnection(Network& network, Runtime& runtime) : network_(network), runtime_(runtime) {
        ++network_.open;
    }
    ~FakeConnection() override { --network_.open; }
    Task<ExitStatus> execute(const Command&, Input&, OutputSink&) override {
        if (network_.lose_before > 0) {
            --network_.lose_before;
            alive_ = false;
            throw NotStarted("gone");
        }
        ++network_.ran;
        if (network_.lose_during) {
            alive_ = false;
            throw connect_error("cut");
        }
        co_return ExitStatus{};
    }
    bool alive() const noexcept override { return alive_; }
    Task<void> close() override {
        boost::asio::steady_timer timer(runtime_.loop(), network_.close_takes);
        co_await timer.async_wait(boost::asio::use_awaitable);
        alive_ = false;
        ++network_.closed;
    }
    const std::string& user() const noexcept override { return user_; }
    PowerShellSession* powershell() noexcept override { return this; }

private:
    Task<ExitStatus> run(const PowerShellScript& script, Input& input, OutputSink& sink) override {
        const Command command{script.text};
        auto running = execute(command, input, sink);
        co_return co_await std::move(running);
    }
    std::string_view version() const noexcept override { return "5.1"; }

    Network& network_;
    Runtime& runtime_;
    bool alive_ = true;
    std::string user_ = "fake";
};

class FakeTransport final : public Transport {
public:
    FakeTransport(Network& network, Runtime& runtime) : network_(network), runtime_(runtime) {}
    Task<std::unique_ptr<Connection>> connect(TargetConfig) override {
        ++network_.connects;
        boost::asio::steady_timer timer(runtime_.loop(), 10ms);
        co_await timer.async_wait(boost::asio::use_awaitable);
        if (network_.refuse > 0) {
            --network_.refuse;
            throw connect_error("refused");
        }
        co_return std::make_unique<FakeConnection>(network_, runtime_);
    }

private:
    Network& network_;
    Runtime& runtime_;
};

struct PoolFixture {
    Network network;
    Runtime runtime;
    FakeTransport transport{network, runtime};
    std::optional<PooledConnection> connection{std::in_place, runtime, transport, TargetConfig{}};

    ExitStatus run() {
        Collector sink;
        NoInput input;
        const Command command{"x"};
        auto task = connection->execute(command, input, sink);
        return finish(runtime.loop(), std::move(task));
    }
};

TargetConfig local_target(const std::string& name, const std::string& tmpdir = "/tmp") {
    TargetConfig target;
    target.name = name;
    target.safe_name = name;
    target.transport = "local";
    target.options = std::make_shared<const Json>(Json{{"tmpdir", tmpdir}});
    return target;
}

std::shared_ptr<Session> acquire(ConnectionPool& pool, Runtime& runtime, const TargetConfig& target) {
    auto task = pool.acquire(target);
    return finish(runtime.loop(), std::move(task));
}

}  // namespace

TEST_CASE("callers at the same time share one connect", "[pool]") {
    PoolFixture fixture;
    int opened = 0;
    for (int i = 0; i < 5; ++i) {
        auto task = fixture.connection->open();
        boost::asio::co_spawn(fixture.runtime.loop(), std::move(task),
                              [&](std::exception_ptr error) { opened += error ? 0 : 1; });
    }
    fixture.runtime.loop().run();
    CHECK(opened == 5);
    CHECK(fixture.network.connects == 1);
}

TEST_CASE("a session is used again for the next command", "[pool]") {
    PoolFixture fixture;
    fixture.run();
    fixture.run();
    CHECK(fixture.network.connects == 1);
    CHECK(fixture.network.ran == 2);
    CHECK(fixture.connection->user() == "fake");
}

TEST_CASE("a failed connect is reported and tried anew by the next caller", "[pool]") {
    PoolFixture fixture;
    fixture.network.refuse = 1;
    CHECK_THROWS_WITH(fixture.run(), "refused");
    CHECK(fixture.run().code == 0);
}

TEST_CASE("a session lost before the command began is opened again once", "[pool]") {
    PoolFixture fixture;
    fixture.network.lose_before = 1;
    CHECK(fixture.run().code == 0);
    CHECK(fixture.network.connects == 2);
    CHECK(fixture.network.ran == 1);
    fixture.network.lose_before = 2;
    CHECK_THROWS_AS(fixture.run(), NotStarted);
    CHECK(fixture.network.ran == 1);
}

TEST_CASE("a PowerShell script is treated as a command is when its session is lost", "[pool]") {
    PoolFixture fixture;
    CHECK(fixture.connection->powershell() == nullptr);  // nobody knows before it is open
    finish(fixture.runtime.loop(), fixture.connection->open());
    PowerShellSession* powershell = fixture.connection->powershell();
    REQUIRE(powershell != nullptr);
    CHECK(powershell->version() == "5.1");
    const PowerShellScript script(PowerShellUse::Action, "x");
    Collector sink;
    NoInput input;
    fixture.network.lose_before = 1;
    CHECK(finish(fixture.runtime.loop(), powershell->run(script, input, sink)).code == 0);
    CHECK(fixture.network.connects == 2);
    fixture.network.lose_during = true;
    CHECK_THROWS_WITH(finish(fixture.runtime.loop(), powershell->run(script, input, sink)), "cut");
    CHECK(fixture.network.ran == 2);
}

TEST_CASE("a command that had begun is never run twice", "[pool]") {
    PoolFixture fixture;
    fixture.network.lose_during = true;
    CHECK_THROWS_WITH(fixture.run(), "cut");
    CHECK(fixture.network.connects == 1);
    CHECK(fixture.network.ran == 1);
    fixture.network.lose_during = false;
    CHECK(fixture.run().code == 0);
    CHECK(fixture.network.connects == 2);
}

TEST_CASE("a connection nobody closed is closed by the loop", "[pool]") {
    PoolFixture fixture;
    fixture.run();
    fixture.connection.reset();
    fixture.runtime.loop().restart();
    fixture.runtime.loop().run();
    CHECK(fixture.network.closed == 1);
    CHECK(fixture.network.open == 0);
}

TEST_CASE("the pool keeps one session per target and replaces it when the options change", "[pool]") {
    Runtime runtime;
    ConnectionPool pool(runtime);
    const auto first = acquire(pool, runtime, local_target("a"));
    CHECK(acquire(pool, runtime, local_target("a")) == first);
    CHECK(acquire(pool, runtime, local_target("b")) != first);
    const auto changed = acquire(pool, runtime, local_target("a", "/var/tmp"));
    CHECK(changed != first);
    auto command = first->shell().run_command("echo hello", {});
    const Output output = finish(runtime.loop(), std::move(command));
    CHECK(output.captured.merged() == "hello\n");
    pool.drop("b");
    auto closing = pool.close_all(1s);
    finish(runtime.loop(), std::move(closing));
    CHECK_FALSE(changed->connection().alive());
    CHECK(acquire(pool, runtime, local_target("a", "/var/tmp")) != changed);
}

TEST_CASE("an unknown transport is an error and leaves nothing in the pool", "[pool]") {
    Runtime runtime;
    ConnectionPool pool(runtime);
    TargetConfig target = local_target("a");
    target.transport = "pigeon";
    CHECK_THROWS_WITH(acquire(pool, runtime, target), Catch::Contains("pigeon"));
    CHECK(acquire(pool, runtime, local_target("a")) != nullptr);
}

}  // namespace volley::transports
