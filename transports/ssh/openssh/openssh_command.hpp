#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "transports/ssh/config/ssh_config.hpp"
#include "transports/target_config.hpp"

namespace volley::transports::ssh {

/// The command lines of native-ssh for one target (SSH-019, SSH-020), made from its options.
class OpenSshCommand {
public:
    /// `user`: the login user on the target. `control_path`: where ssh's master listens; used only when
    /// multiplexes(). `more`: options that go before all others (fallback_options).
    OpenSshCommand(const TargetConfig& target, std::string user, std::filesystem::path control_path,
                   const std::vector<std::string>& more = {});

    /// ssh with its options, `-l user -- host` and the line.
    std::vector<std::string> run(const std::string& line, bool tty) const;
    /// The same for a subsystem of the server.
    std::vector<std::string> subsystem(const std::string& name) const;
    /// Asks or ends the master: `what` is "check" or "exit".
    std::vector<std::string> control(const std::string& what) const;
    bool copies() const noexcept { return !copy_words_.empty(); }
    std::vector<std::string> upload(const std::string& local, const std::string& remote) const;
    std::vector<std::string> download(const std::string& remote, const std::string& local) const;

    /// False when the user has given an ssh-command: a wrapper need not be OpenSSH, so it gets Bolt's options
    /// only.
    bool multiplexes() const noexcept { return multiplexes_; }
    /// ssh may not ask the user anything.
    bool batch_mode() const noexcept { return batch_mode_; }
    /// For one login; generous when a person may have to type.
    std::chrono::seconds login_deadline() const noexcept { return login_deadline_; }
    const std::string& user() const noexcept { return user_; }
    const std::filesystem::path& control_path() const noexcept { return control_path_; }

private:
    std::vector<std::string> start(const char* flag, const std::string& what) const;
    std::vector<std::string> master_options() const;
    std::vector<std::string> destination() const;

    std::string user_, host_;
    std::filesystem::path control_path_;
    std::vector<std::string> ssh_words_, copy_words_, options_, own_options_;
    bool multiplexes_ = true;
    bool batch_mode_ = true;
    std::chrono::seconds login_deadline_{0};
};

/// The options that ssh needs for a target that is not configured for native-ssh but that libssh2 could not
/// reach, so that the same limits hold: the target's algorithm lists (SSH-010) and jump host, and, where
/// $HOME is not the home of the password database (which is the one ssh looks at), our idea of the files
/// below it.
std::vector<std::string> fallback_options(const TargetConfig& target, const HostSettings& settings,
                                          const std::filesystem::path& home);

}  // namespace volley::transports::ssh
