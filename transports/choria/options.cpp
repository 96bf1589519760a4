// Options of the choria transport (TRN-029) and the rules between them (TRN-033).
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "transports/option_tables/shared_rows.hpp"
#include "transports/transport.hpp"

namespace volley::transports {
namespace {

bool is_set(const Json& options, const char* key) {
    const auto found = options.find(key);
    return found != options.end() && !found->is_null();
}

bool is_absolute(const std::string& path) {
    return path.starts_with('/') ||
           (path.size() > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/'));
}

std::vector<std::string> check(const Json& options) {
    std::vector<std::string> faults;
    const auto tmpdir = options.find("tmpdir");
    if (tmpdir != options.end() && tmpdir->is_string() && !is_absolute(tmpdir->get<std::string>())) {
        faults.push_back(
            fmt::format("Choria tmpdir must be an absolute path, got '{}'", tmpdir->get<std::string>()));
    }
    std::string missing;
    int given = 0;
    for (const char* key : {"ssl-ca", "ssl-cert", "ssl-key"}) {
        if (is_set(options, key)) {
            ++given;
        } else {
            missing += missing.empty() ? key : std::string(", ") + key;
        }
    }
    if (given > 0 && !missing.empty()) {
        faults.push_back(fmt::format("ssl-ca, ssl-cert and ssl-key belong together; missing: {}", missing));
    }
    return faults;
}

}  // namespace

TransportSpec choria_spec() {
    static const std::vector<OptionSpec> options{
        {.name = "broker-timeout",
         .type = OptionType::Integer,
         .description = "Seconds for the TCP connection to a broker.",
         .default_json = "30",
         .minimum = 1},
        {.name = "brokers",
         .type = OptionType::StringOrArray,
         .description = "Brokers as host or host:port."},
        rows::cleanup,
        {.name = "collective", .description = "The collective that the target belongs to."},
        {.name = "command-timeout",
         .type = OptionType::Integer,
         .description = "Seconds for a command or script to end.",
         .default_json = "60",
         .minimum = 1},
        {.name = "config-file", .description = "The Choria client's configuration file.", .is_path = true},
        {.name = "host", .description = "The target's identity, when its name is not one."},
        rows::interpreters,
        {.name = "mcollective-certname",
         .description = "The client's identity, when it is not the default one."},
        {.name = "puppet-environment",
         .description = "The environment that task files are taken from.",
         .default_json = R"("production")"},
        {.name = "rpc-timeout",
         .type = OptionType::Integer,
         .description = "Seconds for targets to answer a request.",
         .default_json = "30",
         .minimum = 1},
        {.name = "ssl-ca", .description = "The certificate authority of the brokers.", .is_path = true},
        {.name = "ssl-cert", .description = "The client's certificate.", .is_path = true},
        {.name = "ssl-key", .description = "The client's private key.", .is_path = true},
        {.name = "task-agent",
         .description = "The agent that runs tasks.",
         .allowed = {"bolt_tasks", "shell"}},
        {.name = "task-timeout",
         .type = OptionType::Integer,
         .description = "Seconds for a task to end.",
         .default_json = "300",
         .minimum = 1},
        {.name = "tmpdir",
         .description = "The directory on the target for temporary files.",
         .default_json = R"("/tmp")"},
    };
    return TransportSpec{.name = "choria", .options = options, .check = check};
}

}  // namespace volley::transports
