#include "transports/ssh/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/files.hpp"
#include "support/text.hpp"
#include "transports/errors.hpp"
#include "transports/ssh/login/agent.hpp"
#include "transports/ssh/safe_names.hpp"

namespace volley::transports::ssh {
namespace {

const Json* find(const Json& options, const char* key) {
    const auto found = options.find(key);
    return found == options.end() || found->is_null() ? nullptr : &*found;
}

std::vector<std::filesystem::path> to_paths(const std::vector<std::string>& names) {
    const auto home = home_directory();
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : names) {
        if (name != "none") paths.push_back(expand_path(name, home));
    }
    return paths;
}

std::vector<std::filesystem::path> known_hosts_files(const HostSettings& config) {
    std::vector<std::string> user = config.user_known_hosts, global = config.global_known_hosts;
    if (user.empty()) user = {"~/.ssh/known_hosts", "~/.ssh/known_hosts2"};
    if (global.empty()) global = {"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"};
    user.insert(user.end(), global.begin(), global.end());
    return to_paths(user);
}

HostKeyPolicy policy_of(const HostSettings& config) {
    // SSH-005: accept and record when the configuration has `no`; that a changed key is refused even then is
    // kinder than OpenSSH, and what Bolt does.
    const auto strict = config.strict_host_key_checking.value_or(StrictHostKeyChecking::Ask);
    const bool lenient = strict == StrictHostKeyChecking::No || strict == StrictHostKeyChecking::AcceptNew;
    return lenient ? HostKeyPolicy::AcceptNew : HostKeyPolicy::Strict;
}

void apply_keepalive(Settings& settings, const HostSettings& config) {
    // OpenSSH's default is never to ask; a command that hangs for ever on a dead peer helps nobody.
    if (config.server_alive_interval.value_or(0) > 0) {
        settings.keepalive.interval = std::chrono::seconds(*config.server_alive_interval);
    }
    settings.keepalive.count = std::max(1, config.server_alive_count_max.value_or(settings.keepalive.count));
}

void apply_identities(Settings& settings, const HostSettings& config, bool load_config) {
    static const std::vector<std::string> usual{"~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"};
    if (!config.identity_files_none) {
        settings.identity_files = to_paths(config.identity_files.empty() ? usual : config.identity_files);
    }
    settings.identities_only = config.identities_only.value_or(false);
    settings.public_key = config.pubkey_authentication.value_or(true);
    settings.gssapi = config.gssapi_authentication.value_or(false);
    if (!load_config) return;  // SSH-007: no agent either
    const std::string agent = config.identity_agent.value_or("SSH_AUTH_SOCK");
    if (agent == "SSH_AUTH_SOCK") {
        settings.agent_socket = agent_socket_from_environment();
    } else if (agent != "none") {
        settings.agent_socket = expand_path(agent, home_directory());
    }
}

/// The option's list, else ssh_config's, else ours.
Algorithms methods(AlgorithmKind kind, const Json& options, const char* option,
                   const std::optional<std::string>& config, const std::string& label) {
    const Json* wanted = find(options, option);
    Algorithms names;
    if (wanted != nullptr && wanted->is_array()) {
        names = wanted->get<Algorithms>();
    } else if (config) {
        names = apply_algorithm_list(*config, default_algorithms(kind));
    } else {
        return default_algorithms(kind);
    }
    Algorithms chosen = chosen_algorithms(kind, names);
    if (chosen.empty()) {
        throw connect_error(fmt::format(
            "Failed to connect to {}: libssh2 supports none of the {} listed ({}); it supports {}", label,
            option, join(names, ", "), join(supported_algorithms(kind), ", ")));
    }
    return chosen;
}

void apply_algorithms(Settings& settings, const Json& options, const HostSettings& config) {
    const std::string& label = settings.label;
    settings.kex = methods(AlgorithmKind::Kex, options, "kex-algorithms", config.kex_algorithms, label);
    settings.ciphers =
        methods(AlgorithmKind::Cipher, options, "encryption-algorithms", config.ciphers, label);
    settings.macs = methods(AlgorithmKind::Mac, options, "mac-algorithms", config.macs, label);
    settings.host_keys =
        methods(AlgorithmKind::HostKey, options, "host-key-algorithms", config.host_key_algorithms, label);
    constexpr const char* lists[] = {"kex-algorithms", "encryption-algorithms", "mac-algorithms",
                                     "host-key-algorithms"};
    settings.algorithms_chosen =
        std::ranges::any_of(lists, [&](const char* list) { return find(options, list) != nullptr; });
    settings.host_keys_chosen = find(options, "host-key-algorithms") != nullptr || config.host_key_algorithms;
}

void apply_config(Settings& settings, const HostSettings& config, bool load_config) {
    settings.address = config.host_name;
    settings.port = config.port.value_or(22);
    settings.user = config.user.value_or(login_name());
    settings.known_as = config.host_key_alias.value_or(config.host_name);
    settings.known_port = config.host_key_alias ? 22 : settings.port;
    settings.host_key_policy = policy_of(config);
    settings.known_hosts = known_hosts_files(config);
    settings.hash_known_hosts = config.hash_known_hosts.value_or(false);
    if (config.address_family == AddressFamily::Inet) settings.family = Resolver::Family::Inet;
    if (config.address_family == AddressFamily::Inet6) settings.family = Resolver::Family::Inet6;
    apply_identities(settings, config, load_config);
    apply_keepalive(settings, config);
}

void apply_route(Settings& settings, const Json& options, const HostSettings& config) {
    const Json* option = find(options, "proxyjump");
    const std::string jump =
        option != nullptr ? option->get<std::string>() : config.proxy_jump.value_or("none");
    settings.jumps = parse_proxy_jump(jump);
    const std::string command = config.proxy_command.value_or("none");
    if (settings.jumps.empty() && option == nullptr && command != "none") settings.proxy_command = command;
}

void apply_options(Settings& settings, const Json& options, const HostSettings& config) {
    if (const Json* check = find(options, "host-key-check")) {
        settings.host_key_policy = check->get<bool>() ? HostKeyPolicy::Strict : HostKeyPolicy::Ignore;
    }
    if (const Json* key = find(options, "private-key")) {
        if (key->is_string()) {
            settings.private_key = key->get<std::string>();
        } else {
            settings.key_data = Secret(key->value("key-data", std::string()));
        }
        settings.identity_files.clear();  // SSH-003: the only key
    }
    constexpr int usual = 10;
    int timeout = options.value("connect-timeout", usual);
    // The option's default looks like an explicit 10; the value of ssh_config counts then.
    if (timeout == usual) timeout = config.connect_timeout.value_or(timeout);
    settings.connect_timeout = std::chrono::seconds(std::max(1, timeout));
    settings.disconnect_timeout = std::chrono::seconds(options.value("disconnect-timeout", 5));
}

/// The empty configuration still names the host.
Task<HostSettings> lookup(ConfigQuery query, bool load_config, SshConfigStore& config) {
    if (load_config) {
        const auto found = co_await config.resolve(query);
        co_return *found;
    }
    HostSettings none;
    none.host_name = query.host;
    co_return none;
}

}  // namespace

bool loads_config(const TargetConfig& target) { return target.options->value("load-config", true); }

Task<SharedSettings> settings_for(TargetConfig target, SshConfigStore& config) {
    if (target.host.empty()) throw no_host_error(target.safe_name);
    require_safe_names(target.safe_name, target.user, target.host);
    const Json& options = *target.options;
    const bool load_config = loads_config(target);
    ConfigQuery query(target.host);
    query.user = target.user;
    query.port = target.port;
    const HostSettings found = co_await lookup(query, load_config, config);

    Settings settings;
    settings.label = target.safe_name;
    apply_config(settings, found, load_config);
    if (target.user) settings.user = *target.user;
    if (target.port) {
        settings.port = *target.port;
        if (!found.host_key_alias) settings.known_port = settings.port;
    }
    if (target.password) settings.password = Secret(*target.password);
    apply_options(settings, options, found);
    apply_algorithms(settings, options, found);
    apply_route(settings, options, found);
    co_return std::make_shared<const Settings>(std::move(settings));
}

Task<SharedSettings> settings_for_jump(JumpHost hop, SharedSettings target, bool load_config,
                                       SshConfigStore& config) {
    require_safe_names(target->label, hop.user, hop.host);
    ConfigQuery query(hop.host);
    query.user = hop.user;
    query.port = hop.port;
    const HostSettings found = co_await lookup(query, load_config, config);

    Settings settings;
    settings.label = fmt::format("jump host {}", hop.host);
    apply_config(settings, found, load_config);
    if (hop.user) settings.user = *hop.user;
    if (hop.port) {
        settings.port = *hop.port;
        if (!found.host_key_alias) settings.known_port = settings.port;
    }
    settings.host_key_policy = target->host_key_policy;
    settings.private_key = target->private_key;
    settings.key_data = target->key_data;
    apply_algorithms(settings, Json::object(), found);
    settings.connect_timeout = target->connect_timeout;
    settings.disconnect_timeout = target->disconnect_timeout;
    co_return std::make_shared<const Settings>(std::move(settings));
}

}  // namespace volley::transports::ssh
