#include "transports/powershell_pipe/packets.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "support/text.hpp"
#include "transports/winrm/psrp/protocol_error.hpp"

namespace volley::transports::powershell_pipe {
namespace {

const std::string pool = "00000000-0000-0000-0000-000000000000";
const std::string one = "11111111-2222-3333-4444-555555555555";

/// "kind pipeline bytes", one a line; "+" where it acknowledges.
std::string read(const std::vector<std::string>& pieces) {
    static constexpr std::string_view names[] = {"Data", "Command", "Signal", "Close"};
    std::string seen;
    PacketReader reader([&](const Packet& packet) {
        seen += std::string(names[static_cast<std::size_t>(packet.kind)]) +
                (packet.acknowledges ? "+ " : " ") + packet.pipeline.text() + " " + packet.bytes + "\n";
    });
    try {
        for (const std::string& piece : pieces) reader.feed(piece);
    } catch (const winrm::ProtocolError& error) {
        seen += error.what();
    }
    return seen;
}

}  // namespace

TEST_CASE("PSRP packets of PowerShell's server mode are written as it reads them", "[powershell][psrp]") {
    const winrm::Guid id = *winrm::Guid::parse(one);
    CHECK(data_packet(winrm::Guid(), "ab") == "<Data Stream='Default' PSGuid='" + pool + "'>YWI=</Data>\n");
    CHECK(prompt_response_packet(id, "ab") ==
          "<Data Stream='PromptResponse' PSGuid='" + one + "'>YWI=</Data>\n");
    CHECK(packet(PacketKind::Command, id) == "<Command PSGuid='" + one + "' />\n");
    CHECK(packet(PacketKind::Signal, id) == "<Signal PSGuid='" + one + "' />\n");
    CHECK(packet(PacketKind::Close, winrm::Guid()) == "<Close PSGuid='" + pool + "' />\n");
}

TEST_CASE("PSRP packets of PowerShell's server mode are read however they are cut", "[powershell][psrp]") {
    const std::string text = "<DataAck PSGuid='" + pool + "' />\r\n\n<Data Stream=\"Default\" PSGuid=\"" +
                             one + "\">YWI=</Data>\n<CommandAck PSGuid='" + one +
                             "' />\n<SignalAck PSGuid='" + one + "' />\n<CloseAck PSGuid='" + one + "' />\n";
    const std::string want = "Data+ " + pool + " \nData " + one + " ab\nCommand+ " + one + " \nSignal+ " +
                             one + " \nClose+ " + one + " \n";
    CHECK(read({text}) == want);
    std::vector<std::string> letters;
    for (const char letter : text) letters.emplace_back(1, letter);
    CHECK(read(letters) == want);
}

TEST_CASE("what is not a packet of PowerShell's server mode is an error with its text",
          "[powershell][psrp]") {
    const std::string refused = "its output is not PowerShell remoting: ";
    for (const std::string& line : std::vector<std::string>{
             "Welcome to web1", "<Data Stream='Default'>YWI=</Data>", "<Data PSGuid='x'>YWI=</Data>",
             "<Command PSGuid='" + one + "' />", "<Signal PSGuid='" + one + "' />",
             "<DataAck PSGuid='" + one + "' /><DataAck PSGuid='" + one + "' />", "<!DOCTYPE a>",
             "<Other PSGuid='" + one + "' />"})
        CHECK(read({line + "\n"}) == refused + line);
    CHECK(read({"a\x1b[2J\n"}) == refused + "a\\x1B[2J");
    CHECK(read({std::string(300, 'x') + "\n"}) == refused + std::string(200, 'x') + "...");
    CHECK(read({"<Data Stream='Default' PSGuid='" + one + "'>*</Data>\n"}) ==
          "a packet of PowerShell remoting is not valid base64");
    CHECK(read({std::string(PacketReader::line_limit, 'x'), "x"}) ==
          "a line of PowerShell remoting is longer than 4 MiB");
}

}  // namespace volley::transports::powershell_pipe
