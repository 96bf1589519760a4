#pragma once

#include <boost/asio/local/stream_protocol.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/json/json.hpp"
#include "transports/containers/exec.hpp"

namespace volley::transports::containers {

/// The service cannot be reached, does not answer in time or does not speak HTTP.
class ServiceError final : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Docker's service, or Podman's which speaks the same, on a Unix socket. Loop thread only; every call can be
/// cancelled and has a deadline.
class EngineService {
public:
    explicit EngineService(std::string socket_path) : path_(std::move(socket_path)) {}

    struct Answer {
        unsigned status = 0;
        std::shared_ptr<const Json> body;  ///< null only while there is no answer
        /// What the service says of a refusal.
        std::string message() const;
    };
    /// One request on a connection of its own; `body` null for a GET. Throws ServiceError.
    Task<Answer> ask(std::string target, Json body) const;

    /// A connection that belongs to a command: what it writes is read from it, what is written is its input.
    struct Stream {
        explicit Stream(const boost::asio::any_io_executor& executor) : socket(executor) {}
        boost::asio::local::stream_protocol::socket socket;
        std::string early;  ///< the first bytes, read already
        Answer refusal;     ///< its status is 0 when the stream is open
    };
    /// Throws ServiceError.
    Task<std::unique_ptr<Stream>> open_stream(std::string target, Json body) const;

private:
    std::string path_;
};

/// The path of a URL "unix:///path"; empty for any other.
std::string unix_socket_of(std::string_view url);

/// What a service says of a container.
struct ServiceContainer {
    bool answered = false;  ///< false: there is no service
    std::string id;         ///< empty: there is no such container, or it does not run
};
Task<ServiceContainer> find_with_service(std::string socket_path, std::string host);

/// Commands through the service: no process each. `program` runs what cannot be said in JSON.
std::unique_ptr<ContainerExec> make_service_exec(std::string socket_path, std::string id,
                                                 std::unique_ptr<ContainerExec> program);

}  // namespace volley::transports::containers
