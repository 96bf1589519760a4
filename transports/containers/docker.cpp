// The docker transport: commands in running containers of Docker (TRN-024, DOC-001 to DOC-004).
#include <nlohmann/json.hpp>

#include "support/json_reader.hpp"
#include "support/text.hpp"
#include "transports/containers/engine.hpp"
#include "transports/containers/option_rows.hpp"

namespace volley::transports {

namespace containers {
namespace {

/// `docker ps` prints an object a line; where podman has the name of docker, it prints one list.
std::string find_docker_container(std::string_view listing, const std::string& host) {
    if (trim(listing).starts_with('[')) return find_by_name_or_id(parse_json(listing), host);
    Json running = Json::array();
    for (const std::string& line : split(listing, '\n'))
        if (!trim(line).empty()) running.push_back(parse_json(line));
    return find_by_name_or_id(running, host);
}

const ContainerEngine docker_engine{
    .name = "docker",
    .list = {"docker", "ps", "--no-trunc", "--format", "{{json .}}"},
    .find = find_docker_container,
    .missing = "Could not find a container with name or ID matching '{host}'",
    .exec = {"docker", "exec", "--interactive", "{mode}", "{variable}", "{id}"},
    // The keys that detach from a terminal would be found in a file that is sent: here nobody types them.
    .terminal = {"--tty", "--detach-keys", "ctrl-@,ctrl-],ctrl-^,ctrl-_,ctrl-@,ctrl-],ctrl-^,ctrl-_"},
    .variable = {"--env", "{variable}"},
    .service_variable = "DOCKER_HOST",
};

}  // namespace
}  // namespace containers

TransportSpec docker_spec() {
    namespace rows = containers::rows;
    static const std::vector<OptionSpec> options{
        rows::cleanup,
        rows::host,
        rows::interpreters,
        rows::run_as,
        rows::run_as_command,
        {.name = "service-url", .description = "Where the Docker service listens."},
        rows::shell_command,
        rows::sudo_executable,
        rows::sudo_password,
        rows::tmpdir,
        rows::tty,
    };
    return TransportSpec{.name = "docker", .options = options};
}

std::unique_ptr<Transport> make_docker(Runtime& runtime) {
    return containers::make_container_transport(runtime, containers::docker_engine);
}

}  // namespace volley::transports
