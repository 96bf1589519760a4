// The lxd transport: commands in containers and virtual machines of LXD (TRN-026, LXD-001).
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/json/json_reader.hpp"
#include "support/text.hpp"
#include "transports/containers/engine.hpp"
#include "transports/containers/option_rows.hpp"

namespace volley::transports {

namespace containers {
namespace {

/// `lxc list` takes the name for a pattern, and lists what is stopped too. The program knows containers by
/// name.
std::string find_lxd_container(std::string_view listing, const std::string& host) {
    const Json known = parse_json(listing);
    for (const Json& container : known) {
        if (container.value("name", std::string()) != host) continue;
        const std::string status = container.value("status", std::string("Running"));
        if (status != "Running")
            throw std::runtime_error("The container is not running, it is " + lower(status));
        return host;
    }
    return {};
}

const ContainerEngine& lxd_engine() {
    static const ContainerEngine engine{
        .name = "lxd",
        .list = {"lxc", "list", "{remote}:{host}", "--format", "json"},
        .find = find_lxd_container,
        .missing = "Could not find a container with name or ID matching '{remote}:{host}'",
        // It hands signals on, and LXD ends the command of a client that is gone.
        .exec = {"lxc", "exec", "{remote}:{id}", "--mode", "{mode}", "--"},
        .pipes = {"non-interactive"},
        .terminal = {"interactive"},
        .gone = {"not found", "is not running"},
        .experimental = true,
    };
    return engine;
}

}  // namespace
}  // namespace containers

TransportSpec lxd_spec() {
    namespace rows = containers::rows;
    static const std::vector<OptionSpec> options{
        rows::cleanup,
        rows::interpreters,
        {.name = "remote",
         .description = "The LXD server that runs the container.",
         .default_json = R"("local")"},
        rows::run_as,
        rows::run_as_command,
        rows::shell_command,
        rows::sudo_executable,
        rows::sudo_password,
        rows::tmpdir,
        rows::tty,
    };
    return TransportSpec{.name = "lxd", .options = options};
}

std::unique_ptr<Transport> make_lxd(Runtime& runtime) {
    return containers::make_container_transport(runtime, containers::lxd_engine());
}

}  // namespace volley::transports
