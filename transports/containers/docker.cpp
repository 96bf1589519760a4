// The docker transport: commands in running containers of Docker (TRN-024, DOC-001 to DOC-004).
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/process/environment.hpp"
#include "support/text.hpp"
#include "transports/containers/engine.hpp"
#include "transports/containers/option_rows.hpp"
#include "transports/containers/service.hpp"

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

/// A context of the docker program, which may be anywhere. It is in the environment or in its configuration.
bool has_docker_context() {
    const auto chosen = [](const std::string& context) { return !context.empty() && context != "default"; };
    if (chosen(environment_variable("DOCKER_CONTEXT"))) return true;
    const std::string folder = environment_variable("DOCKER_CONFIG");
    const std::filesystem::path file =
        (folder.empty() ? std::filesystem::path(environment_variable("HOME")) / ".docker"
                        : std::filesystem::path(folder)) /
        "config.json";
    std::error_code missing;
    if (!std::filesystem::is_regular_file(file, missing)) return false;
    try {
        const Json settings = try_parse_json(read_file(file, "configuration of docker"));
        return settings.is_object() && chosen(settings.value("currentContext", std::string()));
    } catch (const std::exception&) {
        return true;  // the program knows what to say
    }
}

/// As the program finds it: the option, DOCKER_HOST, the usual place.
std::string docker_socket(const std::string& service_url) {
    if (!service_url.empty()) return unix_socket_of(service_url);
    const std::string host = environment_variable("DOCKER_HOST");
    if (!host.empty()) return unix_socket_of(host);
    return has_docker_context() ? std::string() : unix_socket_of("unix:///var/run/docker.sock");
}

const ContainerEngine& docker_engine() {
    static const ContainerEngine engine{
        .name = "docker",
        .list = {"docker", "ps", "--no-trunc", "--format", "{{json .}}"},
        .find = find_docker_container,
        .missing = "Could not find a container with name or ID matching '{host}'",
        .exec = {"docker", "exec", "--interactive", "{mode}", "{variable}", "{id}"},
        // The keys that detach from a terminal would be found in a file that is sent: here nobody types them.
        .terminal = {"--tty", "--detach-keys", "ctrl-@,ctrl-],ctrl-^,ctrl-_,ctrl-@,ctrl-],ctrl-^,ctrl-_"},
        .variable = {"--env", "{variable}"},
        .gone = {"No such container", "is not running"},
        .service_variable = "DOCKER_HOST",
        .service_socket = docker_socket,
        .service_knows_all = true,
    };
    return engine;
}

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
    return containers::make_container_transport(runtime, containers::docker_engine());
}

}  // namespace volley::transports
