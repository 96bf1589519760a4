#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "transports/runtime.hpp"
#include "transports/ssh/keys/keys.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

/// How an agent should sign with an RSA key (draft-miller-ssh-agent, 3.6.1); None for other keys and ssh-rsa.
enum class AgentFlags : std::uint32_t { None = 0, RsaSha256 = 2, RsaSha512 = 4 };

/// The flags for a signature algorithm's name; a certificate's algorithm counts as its key's.
AgentFlags agent_flags(std::string_view algorithm) noexcept;

/// A client of ssh-agent that never blocks. One connection, kept open, one request at a time (an agent
/// answers one request at a time anyway), opened again after an error. Every exchange has a deadline; a reply
/// is at most 256 KiB and parsed with care, because an agent may be forwarded from a hostile machine. Loop
/// thread only.
class Agent {
public:
    /// `deadline` is for one exchange, from its turn on. An agent may ask its user to confirm, so be patient.
    Agent(Runtime& runtime, std::string socket_path,
          std::chrono::milliseconds deadline = std::chrono::seconds(30));
    ~Agent();
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;

    /// The keys it holds, in its order; asked once per run, then remembered. Throws TransportError
    /// (AUTH_ERROR) when the agent cannot be reached, refuses, answers nonsense or takes too long.
    Task<std::vector<PublicKey>> identities();
    /// The signature blob over `data` with the private half of `key_blob`. Throws as identities() does, also
    /// when the agent declines (locked, no such key, not confirmed).
    Task<std::string> sign(std::string key_blob, std::string data, AgentFlags flags);

    const std::string& socket_path() const noexcept;

private:
    struct State;
    std::shared_ptr<State> state_;
};

/// Where the agent listens: $SSH_AUTH_SOCK; empty when it is unset or empty, which disables it (SSH-008).
std::string agent_socket_from_environment();

}  // namespace volley::transports::ssh
