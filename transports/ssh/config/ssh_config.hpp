#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transports/runtime.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

/// Who we are, for tokens and Match.
struct ConfigIdentity {
    std::string local_user;      ///< %u, Match localuser
    std::string local_uid;       ///< %i
    std::string local_host;      ///< %l, the full host name; %L is its first label
    std::filesystem::path home;  ///< %d and ~
    static ConfigIdentity current();
};

/// What is asked of the configuration. `user` and `port`: what the caller has set already (it wins, and Match
/// and tokens see it).
struct ConfigQuery {
    ConfigQuery() = default;
    explicit ConfigQuery(std::string name) : host(std::move(name)) {}
    std::string host;  ///< as the user wrote it (%n, Host, Match originalhost)
    std::optional<std::string> user;
    std::optional<int> port;
};

enum class StrictHostKeyChecking : std::uint8_t { Yes, No, AcceptNew, Ask };
enum class AddressFamily : std::uint8_t { Any, Inet, Inet6 };

/// The settings for one host. Absent: no file sets it; the caller has the defaults. Tokens and ~ are
/// expanded. Algorithm lists are as written, with their leading + - or ^ (append to, remove from, put before
/// the defaults).
struct HostSettings {
    std::string host_name;  ///< where to connect to: HostName with tokens expanded, else the host asked for
    std::optional<std::string> user;
    std::optional<int> port;
    std::vector<std::string> identity_files;  ///< in order; empty: OpenSSH's default names; "none" removed
    bool identity_files_none = false;         ///< IdentityFile none: no key files at all
    std::vector<std::string> certificate_files;
    std::optional<bool> identities_only;
    std::optional<std::string> identity_agent;  ///< a path, "none" or "SSH_AUTH_SOCK"; $VARIABLE is expanded
    std::optional<std::string> proxy_jump;      ///< as written, tokens expanded; "none" is kept
    std::optional<std::string> proxy_command;   ///< a shell command, tokens expanded; "none" is kept
    std::vector<std::string> user_known_hosts;  ///< empty: not set; {"none"}: none at all
    std::vector<std::string> global_known_hosts;
    std::optional<bool> hash_known_hosts;
    std::optional<StrictHostKeyChecking> strict_host_key_checking;
    std::optional<std::string> host_key_alias;
    std::optional<int> connect_timeout;  ///< seconds
    std::optional<int> connection_attempts;
    std::optional<int> server_alive_interval;  ///< seconds; 0: off
    std::optional<int> server_alive_count_max;
    std::optional<std::string> kex_algorithms, ciphers, macs, host_key_algorithms, pubkey_accepted_algorithms;
    std::optional<bool> pubkey_authentication, password_authentication, kbd_interactive_authentication;
    std::optional<bool> gssapi_authentication, batch_mode, compression, tcp_keep_alive, forward_agent;
    std::optional<std::string> preferred_authentications;
    std::optional<AddressFamily> address_family;
    std::optional<std::string> bind_address, bind_interface;
};

constexpr std::string_view bad_owner_or_mode = "BAD_OWNER_OR_MODE";

/// The parsed files, in order of precedence (the first value wins, so the user's file comes before the
/// system's). Immutable. resolve() is pure but for `exec`.
class SshConfig {
public:
    /// Reads text through this; nullopt: no such file (which is fine). Tests pass their own; Include then
    /// takes names with * or ? as they are.
    using Reader = std::function<std::optional<std::string>(const std::filesystem::path&)>;
    /// Runs a `Match exec` command; returns whether it succeeded. nullopt: not known (the block does not
    /// match).
    using Exec = std::function<std::optional<bool>(const std::string& command)>;

    struct File {
        std::filesystem::path path;
        bool is_user = true;  ///< relative Includes are below ~/.ssh, else below /etc/ssh
    };
    /// Parses files and what they include (16 levels at most). A missing file counts as empty. Blocks on the
    /// disk. Throws Error bolt/ssh-config-error with file:line for a syntax error or a bad value, and with
    /// the issue code bad_owner_or_mode for a file that others may have written.
    static std::shared_ptr<const SshConfig> load(const std::vector<File>& files,
                                                 const ConfigIdentity& identity, const Reader& reader = {});
    SshConfig();
    ~SshConfig();

    /// Any thread. Throws Error bolt/ssh-config-error when a token does not belong where it stands.
    HostSettings resolve(const ConfigQuery& query, const Exec& exec = {}) const;
    /// True when a Match exec is in it: resolve() then needs an `exec`.
    bool uses_exec() const noexcept;

    struct Program;

private:
    std::unique_ptr<Program> program_;
};

/// ~/.ssh/config and /etc/ssh/ssh_config, read once per run on a worker thread; a resolution then takes
/// microseconds, so answers are not kept. Loop thread only.
class SshConfigStore {
public:
    explicit SshConfigStore(Runtime& runtime);
    /// With other files (ssh -F) and another identity: tests.
    SshConfigStore(Runtime& runtime, std::vector<SshConfig::File> files, ConfigIdentity identity);
    ~SshConfigStore();
    SshConfigStore(const SshConfigStore&) = delete;
    SshConfigStore& operator=(const SshConfigStore&) = delete;

    /// Throws Error bolt/ssh-config-error; the same one again for each caller. `Match exec` commands run as
    /// child processes with a deadline of 10 s (then they count as failed), each distinct one once per run.
    Task<std::shared_ptr<const HostSettings>> resolve(ConfigQuery query);

private:
    struct State;
    std::shared_ptr<State> state_;
};

/// One hop of a ProxyJump list: "user@host:port", "[::1]:22" or "ssh://user@host:port".
struct JumpHost {
    std::string host;
    std::optional<std::string> user;
    std::optional<int> port;
};
/// The hops in the order in which they are passed; empty for "none". Throws Error bolt/ssh-config-error.
std::vector<JumpHost> parse_proxy_jump(std::string_view text);

/// Applies an algorithm list as written in ssh_config to the defaults: replaced, or changed by + - ^.
/// Wildcards in a
/// - list are honoured.
std::vector<std::string> apply_algorithm_list(std::string_view list,
                                              const std::vector<std::string>& defaults);

}  // namespace volley::transports::ssh
