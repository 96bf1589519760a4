#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/json/json.hpp"

namespace volley::transports::choria {

/// Signs requests as their caller: RSA with SHA-256 (choria:secure:request:1).
class Signer {
public:
    /// PEM. Throws std::runtime_error with the reason; the key's text is in no message.
    Signer(std::string_view private_key, std::string_view certificate);
    ~Signer();
    Signer(const Signer&) = delete;
    Signer& operator=(const Signer&) = delete;
    /// The signature, binary. Throws std::runtime_error.
    std::string sign(std::string_view message) const;
    const std::string& certificate() const noexcept { return certificate_; }

private:
    struct Free {
        void operator()(void* key) const noexcept;
    };
    std::unique_ptr<void, Free> key_;
    std::string certificate_;
};

/// One action of one agent on one node.
struct Request {
    std::string id;      ///< 32 hexadecimal digits, unique
    std::string sender;  ///< this machine
    std::string caller;  ///< "choria=NAME"
    std::string collective;
    std::string agent;
    std::string action;
    std::string data;       ///< a JSON object: the action's inputs
    std::string reply_to;   ///< subject
    std::int64_t time = 0;  ///< seconds since 1970
    int ttl = 60;           ///< seconds
};

/// The whole message for the node: choria:transport:1 around choria:secure:request:1 around choria:request:1.
std::string encode(const Request& request, const Signer& signer);

/// What a node answered.
struct Reply {
    std::string request;  ///< id of the request
    std::string sender;   ///< node
    int status = 0;       ///< 0: done; 1: done and failed; 2 to 5: the request could not be served
    std::string status_text;
    std::unique_ptr<Json> data;  ///< an object, what the action outputs; never null
};

/// Why bytes from the network are not a reply; one line, without what they say.
class BadReply : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The reply in a message of the bus. Read with limits: nodes and brokers may send anything. Throws BadReply.
Reply decode(std::string_view message);

/// Where replies go: only this caller may listen there (choria's brokers let `<collective>.reply.<md5>.>`).
std::string reply_subject(const std::string& collective, const std::string& caller,
                          const std::string& unique);

}  // namespace volley::transports::choria
