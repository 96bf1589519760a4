#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace volley::transports::ssh {

enum class AlgorithmKind { Kex, HostKey, Cipher, Mac };

using Algorithms = std::vector<std::string>;

/// Everything that the loaded libssh2 knows. Asked once.
const Algorithms& supported_algorithms(AlgorithmKind kind);
/// What is offered unless the user chooses: modern algorithms, best first for this machine.
const Algorithms& default_algorithms(AlgorithmKind kind);

/// SSH-010: the user's list with `defaults` replaced by ours; names that libssh2 does not know are dropped.
Algorithms chosen_algorithms(AlgorithmKind kind, const Algorithms& wanted);

/// Host key algorithms with those first that fit the key types which known_hosts has for the host
/// ("ssh-rsa" stands for rsa-sha2-512, rsa-sha2-256 and ssh-rsa): else the server may present a key that is
/// not the known one, and looks changed.
Algorithms prefer_known(const Algorithms& offered, const std::vector<std::string>& known_types);

/// What a server has offered in its first, plain bytes: the identification and the key exchange lists.
struct ServerOffer {
    std::string identification;  ///< "SSH-2.0-OpenSSH_9.2"; empty when it has not introduced itself
    Algorithms kex, host_keys, ciphers, macs;  ///< ciphers and macs from client to server
    bool complete = false;
};
ServerOffer parse_server_offer(std::string_view bytes);

/// Why no agreement was possible, one clause; empty when every list has something in common.
struct Disagreement {
    std::string why;
    bool only_rsa_host_key = false;  ///< libssh2 before 1.11 cannot verify rsa-sha2 signatures
};
Disagreement find_disagreement(const ServerOffer& offer, const Algorithms& kex, const Algorithms& host_keys,
                               const Algorithms& ciphers, const Algorithms& macs);

}  // namespace volley::transports::ssh
