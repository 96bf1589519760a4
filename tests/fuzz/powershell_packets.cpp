// What a hostile server sends as the output of PowerShell's server mode: packets, or an error; however the
// bytes are cut, the packets are the same, and no more comes out than went in.
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "transports/powershell_pipe/packets.hpp"
#include "transports/winrm/psrp/protocol_error.hpp"

using namespace volley::transports;
using namespace volley::transports::powershell_pipe;

namespace {

struct ReadPackets {
    std::vector<std::string> packets;
    std::string error;
};

ReadPackets read(std::string_view bytes, std::size_t piece) {
    ReadPackets seen;
    PacketReader reader([&](const Packet& packet) {
        seen.packets.push_back(packet.pipeline.text() + packet.bytes + (packet.acknowledges ? "+" : "-") +
                               std::to_string(static_cast<int>(packet.kind)));
    });
    try {
        for (std::size_t at = 0; at < bytes.size(); at += piece) reader.feed(bytes.substr(at, piece));
    } catch (const winrm::ProtocolError& error) {
        seen.error = error.what();
        if (seen.error.empty()) std::abort();
    }
    return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const ReadPackets whole = read(bytes, bytes.size() + 1);
    const ReadPackets single = read(bytes, 1);
    if (whole.packets != single.packets || whole.error != single.error) std::abort();
    std::size_t total = 0;
    for (const std::string& packet : whole.packets) total += packet.size();
    // A GUID and two characters are made of a longer element.
    if (total > size) std::abort();
    return 0;
}
