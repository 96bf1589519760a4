#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>

#include "tests/transports/process/loop.hpp"
#include "transports/containers/engine.hpp"

namespace volley::transports::containers {
namespace {

using testing::Collector;
using testing::finish;

/// One whose containers are this machine.
const ContainerEngine& this_machine() {
    static const ContainerEngine engine{
        .name = "this",
        .list = {"echo", "id"},
        .find = [](std::string_view, const std::string& host) { return host; },
        .missing = "none",
        .exec = {"env"}};
    return engine;
}

}  // namespace

TEST_CASE("DOC-002 a cancelled command loses nothing that it wrote to stderr", "[containers]") {
    Runtime runtime;
    const auto transport = make_container_transport(runtime, this_machine());
    TargetConfig target;
    target.name = target.safe_name = target.host = "here";
    auto connecting = transport->connect(target);
    const auto connection = finish(runtime.loop(), std::move(connecting));
    // The beginning of what Volley itself writes there is held back until more comes.
    const Command command("printf 'first [[' >&2; cat >/dev/null; sleep 600");
    Collector sink;
    TextInput input("with input");
    auto running = connection->execute(command, input, sink);
    CHECK_THROWS_AS(testing::finish_cancelled_when(
                        runtime.loop(), [&sink] { return sink.err() == "first "; }, std::move(running)),
                    boost::system::system_error);
    CHECK(sink.err() == "first [[");
}

}  // namespace volley::transports::containers
