// What can be configured for ssh (TRN-020), what native-ssh adds (TRN-021), and the rules between them
// (TRN-031).
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

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

bool options_is_set(const Json& options, const char* key) {
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
std::vector<std::string> options_check(const Json& options) {
    std::vector<std::string> faults;
    if (options.value("login-shell", Json()) == "powershell") {
        for (const char* key : {"tty", "run-as"}) {
            if (options_is_set(options, key))
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
    if (is_false(options, "batch-mode") && !options_is_set(options, "ssh-command")) {
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
        {.name = "cleanup",
         .type = OptionType::Boolean,
         .description = "Remove temporary files from the target afterwards.",
         .default_json = "true"},
        {.name = "connect-timeout",
         .type = OptionType::Integer,
         .description = "Seconds for connecting and logging in, all steps together.",
         .default_json = "10",
         .minimum = 1},
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
        {.name = "extensions",
         .type = OptionType::StringArray,
         .description =
             "On Windows: file extensions that scripts and tasks may have besides .ps1, .rb and .pp."},
        {.name = "host",
         .type = OptionType::String,
         .description = "The host name or address, when the target's name is not one."},
        {.name = "host-key-algorithms",
         .type = OptionType::StringArray,
         .description = "Host key types in order of preference; 'defaults' stands for the built-in list."},
        {.name = "host-key-check",
         .type = OptionType::Boolean,
         .description = "Verify the server's key against known_hosts; unset: as ssh_config says."},
        {.name = "interpreters",
         .type = OptionType::Interpreters,
         .description = "The program that runs files with an extension, in place of their first line."},
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
        {.name = "password",
         .type = OptionType::String,
         .description = "The password to log in with.",
         .is_secret = true},
        {.name = "port", .type = OptionType::Integer, .description = "The port to connect to.", .minimum = 0},
        {.name = "private-key",
         .type = OptionType::StringOrMap,
         .description = "The file of the key to log in with, or a map with its text as key-data.",
         .is_path = true},
        {.name = "proxyjump",
         .type = OptionType::String,
         .description = "Hosts to connect through, as user@host:port, several separated by commas."},
        {.name = "run-as",
         .type = OptionType::String,
         .description = "The user to run commands as after logging in."},
        {.name = "run-as-command",
         .type = OptionType::StringArray,
         .description = "The words that change the user; the user's name and the command are appended."},
        {.name = "script-dir",
         .type = OptionType::String,
         .description = "A fixed name below tmpdir, in place of a random one, for temporary files."},
        {.name = "ssh-command",
         .type = OptionType::StringOrArray,
         .description = "With native-ssh: the program, and its options, to connect with."},
        {.name = "sudo-executable",
         .type = OptionType::String,
         .description = "The program that changes the user, called with sudo's options."},
        {.name = "sudo-password",
         .type = OptionType::String,
         .description = "The password that sudo asks for.",
         .is_secret = true},
        {.name = "tmpdir",
         .type = OptionType::String,
         .description = "The directory on the target for temporary files."},
        {.name = "tty",
         .type = OptionType::Boolean,
         .description = "Give every command a terminal.",
         .default_json = "false"},
        {.name = "user", .type = OptionType::String, .description = "The user to log in as."},
    };
    return options;
}

}  // namespace

TransportSpec ssh_spec() { return TransportSpec{.name = "ssh", .options = table(), .check = options_check}; }

}  // namespace volley::transports
