// Options of the transports that run commands in containers: docker, podman, lxd and jail (TRN-024 to TRN-027).
#include "transports/option_tables/option_tables.hpp"

namespace volley::transports {
namespace {

const OptionSpec cleanup{.name = "cleanup",
                         .type = OptionType::Boolean,
                         .description = "Remove temporary files from the container afterwards.",
                         .default_json = "true"};
const OptionSpec host{.name = "host", .description = "The container, when the target's name is not its name."};
const OptionSpec interpreters{
    .name = "interpreters",
    .type = OptionType::Interpreters,
    .description = "The program that runs files with an extension, in place of their first line."};
const OptionSpec remote{.name = "remote",
                        .description = "The LXD server that runs the container.",
                        .default_json = R"("local")"};
const OptionSpec service_url{.name = "service-url", .description = "Where the Docker service listens."};
const OptionSpec shell_command{.name = "shell-command",
                               .description = "A shell to wrap every command in, such as 'bash -lc'."};
const OptionSpec tmpdir{.name = "tmpdir", .description = "The directory in the container for temporary files."};
const OptionSpec tty{
    .name = "tty", .type = OptionType::Boolean, .description = "Give every command a terminal."};
const OptionSpec user{.name = "user", .description = "The user to run commands as."};
const OptionSpec run_as{.name = "run-as", .description = "The user to change to inside the container."};
const OptionSpec run_as_command{
    .name = "run-as-command",
    .type = OptionType::StringArray,
    .description = "The words that change the user; the user's name and the command are appended."};
const OptionSpec sudo_executable{.name = "sudo-executable",
                                 .description = "The program that changes the user, called with sudo's options."};
const OptionSpec sudo_password{
    .name = "sudo-password", .description = "The password that sudo asks for.", .is_secret = true};

}  // namespace

TransportSpec docker_options() {
    static const std::vector<OptionSpec> options{
        cleanup, host, interpreters, run_as, run_as_command, service_url, shell_command, sudo_executable,
        sudo_password, tmpdir, tty};
    return TransportSpec{.name = "docker", .options = options};
}

TransportSpec podman_options() {
    static const std::vector<OptionSpec> options{cleanup,       host,          interpreters,    run_as,
                                                 run_as_command, shell_command, sudo_executable, sudo_password,
                                                 tmpdir,        tty};
    return TransportSpec{.name = "podman", .options = options};
}

TransportSpec lxd_options() {
    static const std::vector<OptionSpec> options{cleanup,        interpreters,  remote,          run_as,
                                                 run_as_command, shell_command, sudo_executable, sudo_password,
                                                 tmpdir,         tty};
    return TransportSpec{.name = "lxd", .options = options};
}

TransportSpec jail_options() {
    static const std::vector<OptionSpec> options{cleanup,        host,          interpreters,    run_as,
                                                 run_as_command, shell_command, sudo_executable, sudo_password,
                                                 tmpdir,         user};
    return TransportSpec{.name = "jail", .options = options};
}

}  // namespace volley::transports
