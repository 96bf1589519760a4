#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transports/runtime.hpp"
#include "transports/transport.hpp"

namespace volley::transports::containers {

/// How one engine's containers are found and how commands run in them: the arguments of its program, as data.
/// In them "{host}" stands for what the target is called, "{remote}" for the option `remote`, "{user}" for
/// the connection's user, "{id}" for what `find` returned.
struct ContainerEngine {
    std::string_view name;  ///< of the transport
    /// Prints what runs, for `find`.
    std::vector<std::string> list;
    /// The id of the container `host` in what `list` printed; empty when there is none. Throws
    /// std::runtime_error with the reason when it is there but does not run, JsonError for what is not JSON.
    std::string (*find)(std::string_view listing, const std::string& host);
    std::string_view missing;  ///< the message when there is none
    /// Runs a command, whose words follow. "{mode}" is replaced by `pipes` or `terminal`, "{variable}" by
    /// `variable`.
    std::vector<std::string> exec;
    std::vector<std::string> pipes{};
    std::vector<std::string> terminal{};
    /// Passes the variable "{variable}" to the command. Empty: what the program ran ends with it; else the
    /// command may live on, and is then found by that variable.
    std::vector<std::string> variable{};
    /// What the program prints when the container is gone or stopped.
    std::vector<std::string_view> gone{};
    /// The variable of the program that the option `service-url` sets; nullptr for none.
    const char* service_variable = nullptr;
    /// The Unix socket of its service, when it has one that serves the program too; empty for none.
    std::string (*service_socket)(const std::string& service_url) = nullptr;
    /// The service knows every container that the program would find.
    bool service_knows_all = false;
    bool takes_user = false;    ///< commands run as the target's user; else it means nothing
    bool experimental = false;  ///< worth a warning, as in Bolt
};

/// The transport of an engine's containers. `engine` must outlive it.
std::unique_ptr<Transport> make_container_transport(Runtime& runtime, const ContainerEngine& engine);

/// The id of the container that has the name `host`, or whose id is `host` or begins with it (DOC-001,
/// POD-001), in what docker and podman list; empty when there is none. A name goes before the beginning of an
/// id.
std::string find_by_name_or_id(const Json& running, const std::string& host);

}  // namespace volley::transports::containers
