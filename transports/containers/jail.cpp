// The jail transport: commands in jails of FreeBSD (TRN-027, JAI-001).
#include <nlohmann/json.hpp>

#include "support/json/json_reader.hpp"
#include "transports/containers/engine.hpp"
#include "transports/containers/option_rows.hpp"

namespace volley::transports {

namespace containers {
namespace {

/// A jail is known by its host name. libxo writes numbers as numbers, and older ones as text.
std::string find_jail(std::string_view listing, const std::string& host) {
    const Json known = parse_json(listing);
    const Json none = Json::object();
    const Json jails = known.value("jail-information", none).value("jail", Json::array());
    for (const Json& jail : jails) {
        if (jail.value("hostname", std::string()) != host) continue;
        const Json id = jail.value("jid", Json());
        return id.is_string() ? id.get<std::string>() : id.dump();
    }
    return {};
}

const ContainerEngine& jail_engine() {
    static const ContainerEngine engine{
        .name = "jail",
        .list = {"jls", "--libxo=json"},
        .find = find_jail,
        .missing = "Could not find a jail with name matching {host}",
        // It becomes the command, which so ends with it.
        .exec = {"jexec", "-lU", "{user}", "{id}"},
        .gone = {"not found"},
        .takes_user = true,
    };
    return engine;
}

}  // namespace
}  // namespace containers

TransportSpec jail_spec() {
    namespace rows = containers::rows;
    static const std::vector<OptionSpec> options{
        rows::cleanup,         rows::host,
        rows::interpreters,    rows::run_as,
        rows::run_as_command,  rows::shell_command,
        rows::sudo_executable, rows::sudo_password,
        rows::tmpdir,          {.name = "user", .description = "The user to run commands as."},
    };
    return TransportSpec{.name = "jail", .options = options};
}

std::unique_ptr<Transport> make_jail(Runtime& runtime) {
    return containers::make_container_transport(runtime, containers::jail_engine());
}

}  // namespace volley::transports
