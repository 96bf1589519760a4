#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transports/net/resolver.hpp"
#include "transports/ssh/config/ssh_config.hpp"
#include "transports/ssh/keys/keys.hpp"
#include "transports/ssh/login/algorithms.hpp"
#include "transports/ssh/session/session.hpp"
#include "transports/target_config.hpp"

namespace volley::transports::ssh {

enum class HostKeyPolicy {
    Strict,     ///< the key must be in known_hosts
    AcceptNew,  ///< a host that is not there is added; a changed key is refused
    Ignore      ///< not looked at
};

/// Everything about one hop, decided: the target's options over ssh_config over our defaults (SSH-001 to
/// SSH-010). Made once per target and shared: it is a few kilobytes, and thousands may be connecting.
struct Settings {
    std::string label;    ///< the target's safe name, or the jump host; for messages
    std::string address;  ///< where to connect to
    int port = 22;
    std::string user;
    std::optional<Secret> password;

    std::string known_as;  ///< the name in known_hosts
    int known_port = 22;
    HostKeyPolicy host_key_policy = HostKeyPolicy::Strict;
    std::vector<std::filesystem::path> known_hosts;  ///< the user's files first
    bool hash_known_hosts = false;

    std::optional<Secret> key_data;
    std::optional<std::filesystem::path>
        private_key;  ///< named by the user: a missing one is worth a warning
    std::vector<std::filesystem::path> identity_files;  ///< from ssh_config, or the usual names
    bool identities_only = false;
    std::string agent_socket;  ///< empty: no agent
    bool public_key = true;
    bool gssapi = false;  ///< ssh_config wants Kerberos, which only OpenSSH can

    Algorithms kex, host_keys, ciphers, macs;
    bool algorithms_chosen = false;  ///< some list is the target's own
    bool host_keys_chosen = false;   ///< by the user; the order is then not changed

    std::chrono::seconds connect_timeout{10};
    std::chrono::seconds disconnect_timeout{5};
    Keepalive keepalive;
    Resolver::Family family = Resolver::Family::Any;
    std::vector<JumpHost> jumps;
    std::string proxy_command;  ///< empty: none
};

using SharedSettings = std::shared_ptr<const Settings>;

/// The settings for a target. Throws TransportError CONNECT_ERROR when it has no host or none of the
/// algorithms asked for is known; Error bolt/ssh-config-error.
Task<SharedSettings> settings_for(TargetConfig target, SshConfigStore& config);
/// The settings for a hop of the target's ProxyJump: its own ssh_config, the target's policy and keys.
Task<SharedSettings> settings_for_jump(JumpHost hop, SharedSettings target, bool load_config,
                                       SshConfigStore& config);

/// True unless the option `load-config` is false.
bool loads_config(const TargetConfig& target);

}  // namespace volley::transports::ssh
