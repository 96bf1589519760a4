#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/files.hpp"
#include "tests/transports/process/loop.hpp"
#include "transports/errors.hpp"
#include "transports/transport.hpp"

namespace volley::transports {

using testing::Collector;
using testing::finish;

namespace {

std::unique_ptr<Connection> connect_locally(Runtime& runtime) {
    auto transport = make_transport("local", runtime);
    TargetConfig target;
    target.name = "localhost";
    auto task = transport->connect(target);
    return finish(runtime.loop(), std::move(task));
}

}  // namespace

TEST_CASE("LOC-001 a line is run by sh and its streams and status come back", "[local]") {
    Runtime runtime;
    const auto connection = connect_locally(runtime);
    Collector sink;
    NoInput nothing;
    const Command command{"x=1; [ $x = 1 ] && echo yes | tr a-z A-Z; echo no >&2; exit 7"};
    auto task = connection->execute(command, nothing, sink);
    CHECK(finish(runtime.loop(), std::move(task)).code == 7);
    CHECK(sink.out() == "YES\n");
    CHECK(sink.err() == "no\n");
    CHECK(connection->alive());
    CHECK(connection->user() == login_name());
}

TEST_CASE("SH-027 a local command that reads its input sees the end at once", "[local]") {
    Runtime runtime;
    const auto connection = connect_locally(runtime);
    Collector sink;
    NoInput nothing;
    const Command command{"cat; echo done"};
    auto task = connection->execute(command, nothing, sink);
    CHECK(finish(runtime.loop(), std::move(task)).code == 0);
    CHECK(sink.out() == "done\n");
}

TEST_CASE("a line too long for the system is one clear error", "[local]") {
    Runtime runtime;
    const auto connection = connect_locally(runtime);
    Collector sink;
    NoInput nothing;
    const Command command{": " + std::string(4'000'000, 'x')};
    auto task = connection->execute(command, nothing, sink);
    CHECK_THROWS_WITH(finish(runtime.loop(), std::move(task)), Catch::Contains("Argument list too long"));
}

TEST_CASE("TRN-023 the options of local", "[local]") {
    const TransportSpec* spec = find_transport("local");
    REQUIRE(spec != nullptr);
    std::vector<std::string> names;
    for (const OptionSpec& option : spec->options) names.emplace_back(option.name);
    CHECK(names == std::vector<std::string>{"bundled-ruby", "cleanup", "extensions", "interpreters", "run-as",
                                            "run-as-command", "sudo-executable", "sudo-password", "tmpdir"});
}

}  // namespace volley::transports
