#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "transports/winrm/psrp/guid.hpp"

namespace volley::transports::winrm {

/// Kinds of messages (MS-PSRP 2.2.1); a server may send others, which are then ignored.
enum class MessageType : std::uint32_t {
    SessionCapability = 0x00010002,
    InitRunspacePool = 0x00010004,
    PublicKeyRequest = 0x00010007,
    RunspacePoolState = 0x00021005,
    CreatePipeline = 0x00021006,
    ApplicationPrivateData = 0x00021009,
    RunspacePoolHostCall = 0x00021100,
    RunspacePoolHostResponse = 0x00021101,
    PipelineInput = 0x00041002,
    EndOfPipelineInput = 0x00041003,
    PipelineOutput = 0x00041004,
    ErrorRecord = 0x00041005,
    PipelineState = 0x00041006,
    DebugRecord = 0x00041007,
    VerboseRecord = 0x00041008,
    WarningRecord = 0x00041009,
    ProgressRecord = 0x00041010,
    InformationRecord = 0x00041011,
    PipelineHostCall = 0x00041100,
    PipelineHostResponse = 0x00041101,
};

/// One message of PowerShell remoting, without its fragments.
struct Message {
    MessageType type{};
    Guid pool;
    Guid pipeline;
    std::string data;  ///< CLIXML without a byte order mark, or nothing
};

/// With the header of one that goes to the server.
std::string encode_message(const Message& message);
/// Throws ProtocolError when it is shorter than a header or is not for a client.
Message decode_message(std::string_view bytes);

}  // namespace volley::transports::winrm
