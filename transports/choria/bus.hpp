#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "transports/choria/messages.hpp"
#include "transports/choria/settings.hpp"
#include "transports/net/detached_threads.hpp"
#include "transports/runtime.hpp"
#include "transports/wakeup.hpp"

namespace volley::transports::choria {

/// What one node is asked to do.
struct Question {
    Question(std::string asked_node, std::string asked_agent, std::string asked_action, std::string inputs)
        : node(std::move(asked_node)),
          agent(std::move(asked_agent)),
          action(std::move(asked_action)),
          data(std::move(inputs)) {}
    std::string node;
    std::string agent;
    std::string action;
    std::string data;  ///< a JSON object: the action's inputs
    std::chrono::seconds timeout{30};
};

/// One connection to the brokers, shared by all targets with the same settings. A request is published once
/// and never again: whether a node got it is not known. Loop thread only; libnats has its own threads, whose
/// messages come to the loop.
class Bus : public std::enable_shared_from_this<Bus> {
public:
    Bus(Runtime& runtime, Settings settings);
    ~Bus();
    Bus(const Bus&) = delete;
    Bus& operator=(const Bus&) = delete;

    /// Returns when a broker took the connection; whoever comes meanwhile waits for the same attempt. Throws
    /// TransportError: connect_error, bolt/choria-config-failed.
    Task<void> open();
    /// What the node answered, of status 0 or 1. Throws TransportError: bolt/choria-no-response after the
    /// timeout and for a node that is not there, bolt/choria-rpc-error for the other statuses,
    /// bolt/choria-rpc-failed when it could not be sent.
    Task<std::shared_ptr<const Reply>> ask(Question question);
    bool alive() const noexcept;
    const Settings& settings() const noexcept { return settings_; }

private:
    struct Broker;  ///< libnats' objects
    struct Inbox;   ///< what libnats' threads share with the loop
    struct Waiting {
        std::string node;
        std::shared_ptr<Wakeup> wakeup;
        std::shared_ptr<const Reply> reply;
        bool unserved = false;
    };

    Task<void> connect();
    void deliver(const std::string& message);
    /// The request whose replies would come to `subject` has no node to serve it.
    void give_up(const std::string& subject);

    Runtime& runtime_;
    Settings settings_;
    std::string caller_;
    std::string reply_to_;
    std::unique_ptr<Signer> signer_;
    std::shared_ptr<Broker> broker_;
    std::shared_ptr<Inbox> inbox_;
    std::shared_ptr<Wakeup> opening_;
    DetachedThreads threads_;
    std::map<std::string, std::shared_ptr<Waiting>> waiting_;  ///< by the request's id
};

/// The buses of a process by their settings.
class Buses {
public:
    explicit Buses(Runtime& runtime) : runtime_(runtime) {}
    std::shared_ptr<Bus> find(const Settings& settings);

private:
    Runtime& runtime_;
    std::vector<std::shared_ptr<Bus>> buses_;
};

}  // namespace volley::transports::choria
