#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/json/json.hpp"
#include "transports/connection.hpp"
#include "transports/options.hpp"
#include "transports/runtime.hpp"

namespace volley::transports {

/// What a transport's name stands for: known without a running loop, so that configuration can be checked.
struct TransportSpec {
    std::string_view name;
    OptionTable options;
    /// Keys that are not in `options` belong to the tasks and are kept (TRN-004).
    bool keeps_unknown_options = false;
    /// Commands run on this machine: in its working directory (LOC-002), with its ruby, and an agent is never
    /// installed.
    bool runs_on_controller = false;
    /// There are no sessions; tasks run on another target, its proxy (REM-001).
    bool uses_proxy_target = false;
    /// Servers prove who they are with keys that known_hosts files list.
    bool uses_known_hosts = false;
    /// File descriptors of one session with a running command; by default those of a child process: pipes and
    /// a watch.
    std::size_t descriptors = 7;
    /// Rules between options (TRN-031 ...); returns one sentence for each broken one.
    std::vector<std::string> (*check)(const Json& options) = nullptr;
};

/// Opens sessions. One per process and kind, made by make_transport; used from the loop thread only.
class Transport {
public:
    virtual ~Transport() = default;
    /// Throws TransportError: connect_error with CONNECT_ERROR, AUTH_ERROR or HOST_KEY_ERROR. Every wait in
    /// it has a deadline (connect-timeout).
    virtual Task<std::unique_ptr<Connection>> connect(TargetConfig target) = 0;
};

/// The transports that can open sessions, in the order of registry.def. Static data.
std::span<const TransportSpec> transport_specs();
/// nullptr when no such transport can open sessions.
const TransportSpec* find_transport(std::string_view name);
/// Their names, sorted.
const std::vector<std::string>& known_transport_names();
/// The transport of targets that name none.
std::string_view default_transport();
/// The transport of the target "localhost" (INV-058): the one that runs on the controller.
std::string_view controller_transport();
/// Throws Error bolt/unknown-transport; also for a transport without sessions of its own.
std::unique_ptr<Transport> make_transport(std::string_view name, Runtime& runtime);

}  // namespace volley::transports
