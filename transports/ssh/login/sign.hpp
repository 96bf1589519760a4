#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "transports/ssh/keys/keys.hpp"
#include "transports/ssh/login/agent.hpp"
#include "transports/ssh/session/session.hpp"

namespace volley::transports::ssh {

/// A key to offer to the server: who can sign with it, and its name in messages.
struct Candidate {
    PublicKey key;
    std::string name;                          ///< "/home/me/.ssh/id_rsa", "agent key me@host"
    Agent* agent = nullptr;                    ///< signs when set
    std::shared_ptr<const PrivateKey> loaded;  ///< signs when set
    std::filesystem::path file;                ///< else read and decrypted once the server wants the key
};

/// The signature for one attempt, made while libssh2 waits: its callback may return EAGAIN, and the session
/// is woken when the agent, a passphrase or a worker thread has done its part.
class Signer {
public:
    Signer(std::shared_ptr<Session> session, Candidate candidate, KeyStore& keys, Runtime& runtime);

    /// For libssh2_userauth_publickey; `abstract` points to a pointer to the Signer.
    static int callback(LIBSSH2_SESSION*, unsigned char** signature, size_t* length,
                        const unsigned char* data, size_t data_length, void** abstract);
    /// Why there was no signature; empty when none was asked for, or it was made.
    const std::string& error() const noexcept;

private:
    struct Job;
    static Task<void> work(std::shared_ptr<Job> job, Candidate candidate, KeyStore& keys, Runtime& runtime);
    int deliver(unsigned char** signature, size_t* length) const;

    std::shared_ptr<Job> job_;
    Candidate candidate_;
    KeyStore& keys_;
    Runtime& runtime_;
};

}  // namespace volley::transports::ssh
