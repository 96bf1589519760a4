// What can be configured for ssh (TRN-020), what native-ssh adds (TRN-021), and the rules between them
// (TRN-031).
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "transports/option_tables/shared_rows.hpp"
#include "transports/transport.hpp"

namespace volley::transports {
namespace {

constexpr std::string_view algorithm_lists[] = {"encryption-algorithms", "host-key-algorithms",
                                                "kex-algorithms", "mac-algorithms"};

bool is_true(const Json& options, const char* key) {
    const auto found = options.find(key);
    return found != options.end() && found->is_boolean() && found->get<bool>();
}

bool is_false(const Json& options, const char* key) {
    const auto found = options.find(key);
    return found != options.end() && found->is_boolean() && !found->get<bool>();
}

bool is_set(const Json& options, const char* key) {
    const auto found = options.find(key);
    return found != options.end() && !found->is_null() && !(found->is_boolean() && !found->get<bool>());
}

bool has_duplicates(const Json& list) {
    std::set<std::string> seen;
    for (const Json& item : list) {
        if (item.is_string() && !seen.insert(item.get<std::string>()).second) return true;
    }
    return false;
}

/// The sentences are Bolt's: they are what people search for.
std::vector<std::string> check(const Json& options) {
    std::vector<std::string> faults;
    if (options.value("login-shell", Json()) == "powershell") {
        for (const char* key : {"tty", "run-as"}) {
            if (is_set(options, key))
                faults.push_back(fmt::format("{} is not supported when using PowerShell", key));
        }
    }
    if (is_true(options, "native-ssh")) {
        if (is_false(options, "load-config")) {
            faults.emplace_back("Cannot use native SSH transport with load-config set to false");
        }
        const auto key = options.find("private-key");
        if (key != options.end() && key->is_object()) {
            faults.emplace_back("private-key must be a filepath when using native-ssh");
        }
    }
    if (is_false(options, "batch-mode") && !is_set(options, "ssh-command")) {
        faults.emplace_back("Must set ssh-command when batch-mode is set to false");
    }
    for (const std::string_view name : algorithm_lists) {
        const auto list = options.find(name);
        if (list != options.end() && list->is_array() && has_duplicates(*list)) {
            faults.push_back(fmt::format("{} must not name an algorithm twice", name));
        }
    }
    return faults;
}

const std::vector<OptionSpec>& table() {
    static const std::vector<OptionSpec> options{
        {.name = "batch-mode",
         .type = OptionType::Boolean,
         .description =
             "With native-ssh: never ask for a password; false needs an ssh-command that supplies one.",
         .default_json = "true"},
        rows::cleanup,
        rows::connect_timeout,
        {.name = "copy-command",
         .type = OptionType::StringOrArray,
         .description = "With native-ssh: the program, and its options, that copies files.",
         .default_json = R"(["scp","-r"])"},
        {.name = "disconnect-timeout",
         .type = OptionType::Integer,
         .description = "Seconds for closing a connection in order, before it is dropped.",
         .default_json = "5",
         .minimum = 1},
        {.name = "encryption-algorithms",
         .type = OptionType::StringArray,
         .description = "Ciphers in order of preference; 'defaults' stands for the built-in list."},
        rows::extensions,
        rows::host,
        {.name = "host-key-algorithms",
         .type = OptionType::StringArray,
         .description = "Host key types in order of preference; 'defaults' stands for the built-in list."},
        {.name = "host-key-check",
         .type = OptionType::Boolean,
         .description = "Verify the server's key against known_hosts; unset: as in ssh_config."},
        rows::interpreters,
        {.name = "kex-algorithms",
         .type = OptionType::StringArray,
         .description =
             "Key exchange methods in order of preference; 'defaults' stands for the built-in list."},
        {.name = "load-config",
         .type = OptionType::Boolean,
         .description = "Read ~/.ssh/config and /etc/ssh/ssh_config, and use the ssh agent.",
         .default_json = "true"},
        {.name = "login-shell",
         .type = OptionType::String,
         .description = "The login shell that the target's account has.",
         .default_json = R"("bash")",
         .allowed = {"sh", "bash", "zsh", "dash", "ksh", "powershell"}},
        {.name = "mac-algorithms",
         .type = OptionType::StringArray,
         .description =
             "Message authentication codes in order of preference; 'defaults' stands for the built-in list."},
        {.name = "native-ssh",
         .type = OptionType::Boolean,
         .description = "Run the ssh program instead of the built-in client."},
        rows::password,
        rows::port,
        {.name = "powershell-subsystem",
         .type = OptionType::Boolean,
         .description = "Run PowerShell through the server's subsystem powershell, where it has that."},
        {.name = "private-key",
         .type = OptionType::StringOrMap,
         .description = "The file of the key to log in with, or a map with its text as key-data.",
         .is_path = true},
        {.name = "proxyjump",
         .type = OptionType::String,
         .description = "Hosts to connect through, as user@host:port, several separated by commas."},
        rows::run_as,
        rows::run_as_command,
        {.name = "script-dir",
         .type = OptionType::String,
         .description = "A fixed name below tmpdir, in place of a random one, for temporary files."},
        {.name = "ssh-command",
         .type = OptionType::StringOrArray,
         .description = "With native-ssh: the program, and its options, to connect with."},
        rows::sudo_executable,
        rows::sudo_password,
        rows::tmpdir,
        {.name = "tty",
         .type = OptionType::Boolean,
         .description = "Give every command a terminal.",
         .default_json = "false"},
        rows::user,
    };
    return options;
}

}  // namespace

TransportSpec ssh_spec() {
    // A session is one socket, and perhaps one to the agent.
    return TransportSpec{
        .name = "ssh", .options = table(), .uses_known_hosts = true, .descriptors = 2, .check = check};
}

}  // namespace volley::transports
