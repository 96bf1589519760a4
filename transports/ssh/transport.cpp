#include "transports/transport.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/ssh/log_step.hpp"
#include "transports/ssh/logger.hpp"
#include "transports/ssh/login/session_factory.hpp"
#include "transports/ssh/openssh/openssh_client.hpp"
#include "transports/ssh/powershell_subsystem.hpp"
#include "transports/ssh/session/ssh_connection.hpp"
#include "transports/ssh/settings.hpp"
#include "transports/ssh/ssh_errors.hpp"

namespace volley::transports {
namespace ssh {
namespace {

bool is_on(const TargetConfig& target, const char* option) { return target.options->value(option, false); }

/// The whole way: hops with their own configuration, unless the only hop is the target itself (a bastion
/// under "Host *" with ProxyJump to itself).
Task<std::vector<SharedSettings>> hops_to(SharedSettings target, bool load_config, SshConfigStore& config) {
    std::vector<SharedSettings> hops;
    for (const JumpHost& jump : target->jumps) {
        SharedSettings hop = co_await settings_for_jump(jump, target, load_config, config);
        hops.push_back(std::move(hop));
    }
    const bool is_itself =
        hops.size() == 1 && hops.front()->address == target->address && hops.front()->port == target->port;
    if (is_itself) hops.clear();
    co_return hops;
}

/// The ssh transport: libssh2, and OpenSSH's own program for those who ask for it or need it.
class SshTransport final : public Transport {
public:
    explicit SshTransport(Runtime& runtime)
        : runtime_(runtime), factory_(runtime), config_(runtime), openssh_(runtime) {}

    Task<std::unique_ptr<Connection>> connect(TargetConfig target) override {
        auto opening = open(target);
        std::unique_ptr<SshServerConnection> connection = co_await std::move(opening);
        co_return with_powershell_subsystem(std::move(connection), target, runtime_);
    }

private:
    Task<std::unique_ptr<SshServerConnection>> open(TargetConfig target) {
        if (is_on(target, "native-ssh")) co_return co_await openssh_.connect(std::move(target));
        warn_about_ssh_command(target);
        const bool load_config = loads_config(target);
        const SharedSettings settings = co_await settings_for(target, config_);
        std::vector<SharedSettings> hops = co_await hops_to(settings, load_config, config_);
        log_settings(*settings, load_config);
        std::optional<Unsupported> unsupported;
        try {
            const std::shared_ptr<Session> session = co_await factory_.connect(settings, std::move(hops));
            co_return std::make_unique<SshConnection>(session, settings->label, settings->user,
                                                      settings->disconnect_timeout);
        } catch (const Unsupported& error) {
            unsupported = error;
        }
        if (!load_config || !OpenSshClient::available()) throw *unsupported;
        log_fallback(target.safe_name, *unsupported);
        co_return co_await openssh_.connect(std::move(target));
    }

    static void log_settings(const Settings& settings, bool load_config) {
        if (!log_enabled(LogLevel::Trace)) return;
        std::vector<std::string> keys;
        if (settings.private_key) keys.push_back(settings.private_key->string());
        if (settings.key_data) keys.emplace_back("key-data");
        for (const auto& file : settings.identity_files) keys.push_back(file.string());
        std::vector<std::string> known;
        for (const auto& file : settings.known_hosts) known.push_back(file.string());
        log_step(
            LogLevel::Trace, settings.label,
            "user {}, address {} port {}, ssh_config {}, agent {}, keys {}, password {}, known_hosts {}, "
            "connect-timeout {} s",
            settings.user, settings.address, settings.port, load_config ? "used" : "not used",
            settings.agent_socket.empty() ? "none" : settings.agent_socket,
            keys.empty() ? "none" : join(keys, " "), settings.password ? "given" : "none",
            known.empty() ? "none" : join(known, " "), settings.connect_timeout.count());
    }
    /// SSH-021: an ssh-command without native-ssh has no effect, which is worth one warning.
    static void warn_about_ssh_command(const TargetConfig& target) {
        if (target.options->contains("ssh-command")) {
            log_warning_once("native_ssh_disabled", logger, "native-ssh must be true to use ssh-command");
        }
    }

    /// One line per run; the other targets' only at debug.
    void log_fallback(const std::string& target, const Unsupported& unsupported) {
        const LogLevel level = std::exchange(fallback_logged_, true) ? LogLevel::Debug : LogLevel::Info;
        log(level, logger,
            fmt::format("{} is reached through the ssh program: {}", target, unsupported.missing()));
    }

    Runtime& runtime_;
    SessionFactory factory_;
    SshConfigStore config_;
    OpenSshClient openssh_;
    bool fallback_logged_ = false;
};

}  // namespace
}  // namespace ssh

std::unique_ptr<Transport> make_ssh(Runtime& runtime) { return std::make_unique<ssh::SshTransport>(runtime); }

}  // namespace volley::transports
