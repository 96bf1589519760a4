// Options of the transports that run commands in containers: docker, podman, lxd and jail (TRN-024 to
// TRN-027).
#include "transports/option_tables/shared_rows.hpp"
#include "transports/transport.hpp"

namespace volley::transports {
namespace {

const OptionSpec host{.name = "host",
                      .description = "The container, when the target's name is not its name."};
const OptionSpec remote{
    .name = "remote", .description = "The LXD server that runs the container.", .default_json = R"("local")"};
const OptionSpec service_url{.name = "service-url", .description = "Where the Docker service listens."};
const OptionSpec shell_command{.name = "shell-command",
                               .description = "A shell to wrap every command in, such as 'bash -lc'."};
const OptionSpec tty{
    .name = "tty", .type = OptionType::Boolean, .description = "Give every command a terminal."};
const OptionSpec user{.name = "user", .description = "The user to run commands as."};

}  // namespace

TransportSpec docker_spec() {
    static const std::vector<OptionSpec> options{rows::cleanup,
                                                 host,
                                                 rows::interpreters,
                                                 rows::run_as,
                                                 rows::run_as_command,
                                                 service_url,
                                                 shell_command,
                                                 rows::sudo_executable,
                                                 rows::sudo_password,
                                                 rows::tmpdir,
                                                 tty};
    return TransportSpec{.name = "docker", .options = options};
}

TransportSpec podman_spec() {
    static const std::vector<OptionSpec> options{rows::cleanup,         host,
                                                 rows::interpreters,    rows::run_as,
                                                 rows::run_as_command,  shell_command,
                                                 rows::sudo_executable, rows::sudo_password,
                                                 rows::tmpdir,          tty};
    return TransportSpec{.name = "podman", .options = options};
}

TransportSpec lxd_spec() {
    static const std::vector<OptionSpec> options{rows::cleanup,
                                                 rows::interpreters,
                                                 remote,
                                                 rows::run_as,
                                                 rows::run_as_command,
                                                 shell_command,
                                                 rows::sudo_executable,
                                                 rows::sudo_password,
                                                 rows::tmpdir,
                                                 tty};
    return TransportSpec{.name = "lxd", .options = options};
}

TransportSpec jail_spec() {
    static const std::vector<OptionSpec> options{
        rows::cleanup,        host,          rows::interpreters,    rows::run_as,
        rows::run_as_command, shell_command, rows::sudo_executable, rows::sudo_password,
        rows::tmpdir,         user};
    return TransportSpec{.name = "jail", .options = options};
}

}  // namespace volley::transports
