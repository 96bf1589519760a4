#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "transports/winrm/psrp/guid.hpp"

namespace volley::transports::powershell_pipe {

/// PowerShell's server mode (`pwsh -s`, and the subsystem `powershell` of OpenSSH): fragments of PSRP travel
/// in packets of XML, one a line. The other side reads the lines on several threads, so that a packet which
/// needs what another one does must wait for that one's acknowledgement.

enum class PacketKind : std::uint8_t {
    Data,     ///< fragments, of the pool or of a pipeline
    Command,  ///< announces a pipeline
    Signal,   ///< stops a pipeline
    Close,    ///< frees a pipeline, or ends the pool
};
inline constexpr std::size_t packet_kinds = 4;

/// What the engine sends: fragments, or that it has done what a packet of the same kind asked for.
struct Packet {
    PacketKind kind{};
    bool acknowledges = false;
    winrm::Guid pipeline;  ///< zeros: the pool
    std::string bytes;     ///< of Data
};

/// The lines to send, each with its end.
std::string data_packet(const winrm::Guid& pipeline, std::string_view fragments);
/// The same for answers to calls of the host.
std::string prompt_response_packet(const winrm::Guid& pipeline, std::string_view fragments);
/// Any kind but Data.
std::string packet(PacketKind kind, const winrm::Guid& pipeline);

/// Takes the engine's output apart.
class PacketReader {
public:
    explicit PacketReader(std::function<void(const Packet&)> take) : take_(std::move(take)) {}
    /// Calls `take` for each packet that is complete; what that throws comes through. Throws ProtocolError
    /// for a line that is not a packet or is longer than `line_limit`.
    void feed(std::string_view bytes);

    /// PowerShell sends 32 KB of fragments in one packet.
    static constexpr std::size_t line_limit = 4UL * 1024 * 1024;

private:
    void line(std::string text);

    std::function<void(const Packet&)> take_;
    std::string begun_;
};

}  // namespace volley::transports::powershell_pipe
