#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "transports/connection.hpp"
#include "transports/containers/engine.hpp"
#include "transports/errors.hpp"

namespace volley::transports::containers {

/// A command for a container.
struct ExecRequest {
    explicit ExecRequest(std::vector<std::string> command_arguments) : words(std::move(command_arguments)) {}
    std::vector<std::string> words;
    std::string variable;  ///< NAME=VALUE for its environment; empty: none
    bool tty = false;
};

/// A way to run commands in one container: the engine's program, or its service.
class ContainerExec {
public:
    virtual ~ContainerExec() = default;
    /// As Connection::execute. When it ends early the command may go on in the container.
    virtual Task<ExitStatus> run(ExecRequest request, Input& input, OutputSink& sink) = 0;
    /// False once the container is known to be gone.
    virtual bool alive() const noexcept { return true; }
};

/// What is known of a target when its container has been found.
struct ContainerPlace {
    std::string target;       ///< safe name, for messages
    std::string host;         ///< what the target calls it
    std::string remote;       ///< the option of lxd
    std::string user;         ///< of the connection
    std::string service_url;  ///< empty: the program's own choice
    std::string id;           ///< empty until it is found
};

/// That there is no such container.
TransportError not_found(const ContainerEngine& engine, const ContainerPlace& place);
/// The id of the container, as the engine's program lists it. Throws connect_error.
Task<std::string> find_with_program(const ContainerEngine& engine, ContainerPlace place);
/// `engine` must outlive it.
std::unique_ptr<ContainerExec> make_program_exec(const ContainerEngine& engine, ContainerPlace place);

}  // namespace volley::transports::containers
