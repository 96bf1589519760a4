#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/json/json.hpp"
#include "transports/target_config.hpp"

namespace volley::tests {

/// How a test wants its server.
struct SshdSettings {
    std::vector<std::string> host_keys{"ed25519"};  ///< kinds offered: ed25519, ecdsa, rsa
    std::vector<std::string> lines;                 ///< more lines of sshd_config
    bool passwords = false;  ///< root's password is `password`, in a namespace of its own
};

/// A private home directory with one key of every kind; $HOME points there while it lives, so that nothing of
/// the user's own ~/.ssh is seen.
class SshHome {
public:
    SshHome();
    ~SshHome();
    SshHome(const SshHome&) = delete;
    SshHome& operator=(const SshHome&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    std::filesystem::path key(const std::string& kind) const { return path_ / ("key_" + kind); }
    std::filesystem::path known_hosts() const { return path_ / ".ssh/known_hosts"; }
    void write(const std::string& name, const std::string& text) const;
    std::string read(const std::string& name) const;
    static constexpr const char* passphrase = "open sesame";

private:
    std::filesystem::path path_;
    std::string old_home_;
    std::string old_agent_;
};

/// A real sshd on a free port of 127.0.0.1, ended with the object. Skips nothing: needs /usr/sbin/sshd.
class Sshd {
public:
    Sshd(const SshHome& home, const SshdSettings& settings = {});
    ~Sshd();
    Sshd(const Sshd&) = delete;
    Sshd& operator=(const Sshd&) = delete;

    int port() const noexcept { return port_; }
    pid_t pid() const noexcept { return pid_; }
    /// "[127.0.0.1]:PORT TYPE KEY" of a host key.
    std::string known_hosts_line(const std::string& kind) const;
    /// Ends the listener and every session below it, as a crash of the machine would.
    void kill_sessions() const;
    std::string log() const;
    /// True when this machine lets us give root a password for this server only.
    static bool can_do_passwords();
    static constexpr const char* password = "correct horse";

private:
    std::filesystem::path directory_;
    int port_ = 0;
    pid_t pid_ = -1;
};

/// dropbear likewise, with an RSA and an ed25519 host key made by itself.
class Dropbear {
public:
    explicit Dropbear(const SshHome& home);
    ~Dropbear();
    Dropbear(const Dropbear&) = delete;
    Dropbear& operator=(const Dropbear&) = delete;
    int port() const noexcept { return port_; }
    std::string log() const;
    static bool installed();

private:
    std::filesystem::path directory_;
    int port_ = 0;
    pid_t pid_ = -1;
};

/// A TCP port that nobody listens on, a moment ago.
int free_port();

/// A target of a server on 127.0.0.1 that logs in as root; `options` is JSON text.
transports::TargetConfig ssh_target(int port, const std::string& options);

}  // namespace volley::tests
