// The podman transport: commands in running containers of Podman (TRN-025, POD-001).
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "support/json/json_reader.hpp"
#include "support/process/environment.hpp"
#include "transports/containers/engine.hpp"
#include "transports/containers/option_rows.hpp"
#include "transports/containers/service.hpp"

namespace volley::transports {

namespace containers {
namespace {

std::string find_podman_container(std::string_view listing, const std::string& host) {
    return find_by_name_or_id(parse_json(listing), host);
}

/// CONTAINER_HOST, or the user's own socket. Settings of its own may give the program containers that the
/// service does not know, or others of the same name.
std::string podman_socket(const std::string&) {
    const std::string host = environment_variable("CONTAINER_HOST");
    if (!host.empty()) return unix_socket_of(host);
    for (const char* own : {"CONTAINERS_CONF", "CONTAINERS_CONF_OVERRIDE", "CONTAINERS_STORAGE_CONF"})
        if (!environment_variable(own).empty()) return {};
    const std::string folder = ::geteuid() == 0 ? "/run" : environment_variable("XDG_RUNTIME_DIR");
    return folder.empty() ? std::string() : unix_socket_of("unix://" + folder + "/podman/podman.sock");
}

const ContainerEngine& podman_engine() {
    static const ContainerEngine engine{
        .name = "podman",
        .list = {"podman", "ps", "--no-trunc", "--format", "json"},
        .find = find_podman_container,
        .missing = "Could not find a container with name or ID matching '{host}'",
        // It looks for the keys that detach in everything that it reads, files too: there shall be none.
        .exec = {"podman", "exec", "--interactive", "--detach-keys=", "{mode}", "{variable}", "{id}"},
        .terminal = {"--tty"},
        .variable = {"--env", "{variable}"},
        .gone = {"no such container", "container state improper"},
        .service_socket = podman_socket,
    };
    return engine;
}

}  // namespace
}  // namespace containers

TransportSpec podman_spec() {
    namespace rows = containers::rows;
    static const std::vector<OptionSpec> options{
        rows::cleanup,        rows::host,          rows::interpreters,    rows::run_as,
        rows::run_as_command, rows::shell_command, rows::sudo_executable, rows::sudo_password,
        rows::tmpdir,         rows::tty,
    };
    return TransportSpec{.name = "podman", .options = options};
}

std::unique_ptr<Transport> make_podman(Runtime& runtime) {
    return containers::make_container_transport(runtime, containers::podman_engine());
}

}  // namespace volley::transports
