#include "transports/powershell_pipe/packets.hpp"

#include <fmt/format.h>

#include <array>
#include <pugixml.hpp>
#include <utility>

#include "support/text.hpp"
#include "support/unicode/printable.hpp"
#include "transports/winrm/psrp/protocol_error.hpp"

namespace volley::transports::powershell_pipe {
namespace {

using winrm::Guid;
using winrm::ProtocolError;

constexpr std::array<std::string_view, packet_kinds> kind_names{"Data", "Command", "Signal", "Close"};

std::string_view kind_name(PacketKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

std::string data_line(std::string_view stream, const Guid& pipeline, std::string_view fragments) {
    return fmt::format("<Data Stream='{}' PSGuid='{}'>{}</Data>\n", stream, pipeline.text(),
                       base64_encode(fragments));
}

[[noreturn]] void refuse(std::string_view line) {
    constexpr std::size_t shown = 200;
    throw ProtocolError(fmt::format("its output is not PowerShell remoting: {}{}",
                                    printable(line.substr(0, shown)), line.size() > shown ? "..." : ""));
}

/// False when the element has no such name.
bool name_packet(std::string_view name, Packet& packet) {
    constexpr std::string_view acknowledgement = "Ack";
    packet.acknowledges = name.ends_with(acknowledgement);
    if (packet.acknowledges) name.remove_suffix(acknowledgement.size());
    for (std::size_t kind = 0; kind < packet_kinds; ++kind) {
        if (kind_names.at(kind) != name) continue;
        packet.kind = static_cast<PacketKind>(kind);
        return packet.acknowledges || packet.kind == PacketKind::Data;
    }
    return false;
}

}  // namespace

std::string data_packet(const Guid& pipeline, std::string_view fragments) {
    return data_line("Default", pipeline, fragments);
}

std::string prompt_response_packet(const Guid& pipeline, std::string_view fragments) {
    return data_line("PromptResponse", pipeline, fragments);
}

std::string packet(PacketKind kind, const Guid& pipeline) {
    return fmt::format("<{} PSGuid='{}' />\n", kind_name(kind), pipeline.text());
}

void PacketReader::feed(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view part = bytes.substr(0, end);
        if (begun_.size() + part.size() > line_limit)
            throw ProtocolError(
                fmt::format("a line of PowerShell remoting is longer than {} MiB", line_limit / 1024 / 1024));
        begun_ += part;
        if (end == std::string_view::npos) return;
        bytes.remove_prefix(end + 1);
        line(std::exchange(begun_, {}));
    }
}

void PacketReader::line(std::string text) {
    if (text.ends_with('\r')) text.pop_back();
    if (text.empty()) return;
    pugi::xml_document document;
    // Neither entities nor anything else but elements with attributes and text.
    const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size(), pugi::parse_minimal);
    const pugi::xml_node element = document.first_child();
    Packet packet;
    const auto pipeline = Guid::parse(element.attribute("PSGuid").value());
    if (!parsed || element.next_sibling() || !pipeline || !name_packet(element.name(), packet)) refuse(text);
    packet.pipeline = *pipeline;
    if (packet.kind == PacketKind::Data && !packet.acknowledges) {
        const auto fragments = base64_decode(element.child_value());
        if (!fragments) throw ProtocolError("a packet of PowerShell remoting is not valid base64");
        packet.bytes = std::move(*fragments);
    }
    take_(packet);
}

}  // namespace volley::transports::powershell_pipe
