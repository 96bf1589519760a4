#include "transports/winrm/wsman/wsman.hpp"

#include <catch2/catch.hpp>
#include <pugixml.hpp>

using namespace volley::transports::winrm;

namespace {

/// An answer with prefixes of its own.
std::string answer(const Envelope& request, const std::string& body) {
    return "<E:Envelope xmlns:E=\"http://www.w3.org/2003/05/soap-envelope\" "
           "xmlns:ad=\"http://schemas.xmlsoap.org/ws/2004/08/addressing\" "
           "xmlns:sh=\"http://schemas.microsoft.com/wbem/wsman/1/windows/shell\" "
           "xmlns:w=\"http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd\"><E:Header><ad:RelatesTo>" +
           request.message_id + "</ad:RelatesTo></E:Header><E:Body>" + body + "</E:Body></E:Envelope>";
}

std::string fault(const std::string& code, const std::string& detail) {
    return "<E:Fault><E:Code><E:Value>E:Receiver</E:Value><E:Subcode><E:Value>w:TimedOut</E:Value></"
           "E:Subcode></E:Code>"
           "<E:Reason><E:Text xml:lang=\"de\">Grund</E:Text></E:Reason><E:Detail><f:WSManFault "
           "xmlns:f=\"http://schemas.microsoft.com/wbem/wsman/1/wsmanfault\" Code=\"" +
           code + "\">" + detail + "</f:WSManFault></E:Detail></E:Fault>";
}

std::string text_at(const std::string& xml, const char* path) {
    pugi::xml_document document;
    REQUIRE(document.load_string(xml.c_str()));
    return document.select_node(path).node().child_value();
}

}  // namespace

TEST_CASE("envelopes have what Windows needs in their headers", "[winrm]") {
    const EnvelopeWriter writer("http://h<1>:5985/wsman", std::chrono::seconds(20));
    const Envelope create = writer.create("SHELL", "\x01");
    CHECK(text_at(create.text, "//a:Action") == "http://schemas.xmlsoap.org/ws/2004/09/transfer/Create");
    CHECK(text_at(create.text, "//a:To") == "http://h<1>:5985/wsman");
    CHECK(text_at(create.text, "//w:ResourceURI") ==
          "http://schemas.microsoft.com/powershell/Microsoft.PowerShell");
    CHECK(text_at(create.text, "//a:MessageID") == create.message_id);
    CHECK(text_at(create.text, "//w:OperationTimeout") == "PT60S");
    CHECK(text_at(create.text, "//w:Option[@Name='protocolversion'][@MustComply='true']") == "2.3");
    CHECK(text_at(create.text, "//rsp:Shell[@ShellId='SHELL']/creationXml") == "AQ==");
    CHECK(create.text.find("w:Selector") == std::string::npos);

    const Envelope receive = writer.receive("SHELL", "COMMAND");
    CHECK(text_at(receive.text, "//w:Selector[@Name='ShellId']") == "SHELL");
    CHECK(text_at(receive.text, "//w:OperationTimeout") == "PT20S");
    CHECK(text_at(receive.text, "//rsp:DesiredStream[@CommandId='COMMAND']") == "stdout");
    CHECK(receive.message_id != create.message_id);
    CHECK(text_at(receive.text, "//p:SessionId") == text_at(create.text, "//p:SessionId"));

    const Envelope signal = writer.signal("SHELL", "COMMAND", EnvelopeWriter::Signal::Stop);
    CHECK(text_at(signal.text, "//rsp:Signal/rsp:Code") == "powershell/signal/crtl_c");
    const Envelope send = writer.send("SHELL", "COMMAND", "stdin", {"a", "b"});
    CHECK(text_at(send.text, "//rsp:Send/rsp:Stream[2]") == "Yg==");
}

TEST_CASE("an envelope with as much as fits is below every server's limit", "[winrm]") {
    const EnvelopeWriter writer("https://some.target.example.com:5986/wsman", std::chrono::seconds(20));
    const std::string most(EnvelopeWriter::fragment_space, 'x');
    CHECK(writer.command("0123456789abcdef0123456789abcdef0123", "0123456789abcdef0123456789abcdef0123", most)
              .text.size() < 153'600);
}

TEST_CASE("answers are read by what their prefixes mean", "[winrm]") {
    const EnvelopeWriter writer("http://h/wsman", std::chrono::seconds(20));
    const Envelope request = writer.receive("S", "C");
    const ReceiveAnswer read = read_receive_answer(
        answer(request,
               "<sh:ReceiveResponse><sh:Stream Name=\"stdout\" CommandId=\"C\">YQ==</sh:Stream><sh:Stream "
               "Name=\"stdout\" CommandId=\"C\" End=\"true\"></sh:Stream><sh:CommandState "
               "State=\"x/CommandState/Done\"/></sh:ReceiveResponse>"),
        request);
    REQUIRE(read.streams.size() == 1);
    CHECK(read.streams[0].bytes == "a");
    CHECK(read.done);
    CHECK(read_command_answer(
              answer(request, "<sh:CommandResponse><sh:CommandId> ID </sh:CommandId></sh:CommandResponse>"),
              request) == "ID");
    CHECK(read_create_answer(
              answer(request,
                     "<x:ResourceCreated xmlns:x=\"http://schemas.xmlsoap.org/ws/2004/09/transfer\">"
                     "<ad:ReferenceParameters><w:SelectorSet><w:Selector Name=\"ShellId\">SH</w:Selector>"
                     "</w:SelectorSet></ad:ReferenceParameters></x:ResourceCreated>"),
              request) == "SH");
    CHECK_NOTHROW(check_answer(answer(request, ""), request));
}

TEST_CASE("what is not the answer to the request is an error", "[winrm]") {
    const EnvelopeWriter writer("http://h/wsman", std::chrono::seconds(20));
    const Envelope request = writer.receive("S", "C");
    const Envelope other = writer.receive("S", "C");
    CHECK_THROWS_WITH(check_answer(answer(other, ""), request), Catch::Contains("another request"));
    CHECK_THROWS_AS(check_answer("not XML", request), WsmanError);
    CHECK_THROWS_AS(check_answer("<html/>", request), WsmanError);
    CHECK_THROWS_AS(read_receive_answer(answer(request, ""), request), WsmanError);
    CHECK_THROWS_AS(read_command_answer(answer(request, ""), request), WsmanError);
    CHECK_THROWS_AS(read_create_answer(answer(request, ""), request), WsmanError);
    CHECK_THROWS_AS(
        read_receive_answer(
            answer(request, "<sh:ReceiveResponse><sh:Stream>?</sh:Stream></sh:ReceiveResponse>"), request),
        WsmanError);
    std::string many;
    for (int count = 0; count < 100'001; ++count) many += "<a/>";
    CHECK_THROWS_WITH(check_answer(answer(request, many), request), Catch::Contains("too many elements"));
}

TEST_CASE("faults are distinguished by number and come with advice", "[winrm]") {
    const EnvelopeWriter writer("http://h/wsman", std::chrono::seconds(20));
    const Envelope request = writer.receive("S", "C");
    const auto caught = [&](const std::string& body) {
        const auto read = read_fault(answer(request, body));
        REQUIRE(read);
        return *read;
    };
    CHECK(caught(fault("2150858793", "")).is_timeout());
    CHECK(caught(fault("2150858793", "")).what() == std::string("Grund"));
    CHECK(caught(fault("2150858843", "<f:Message>fort</f:Message>")).is_gone());
    CHECK(caught(fault("2150859173", "")).is_passing());
    CHECK_FALSE(caught(fault("5", "")).is_passing());
    CHECK(caught(fault("99999999999", "")).is_timeout());  // no number: the subcode counts
    const WsmanFault nested = caught(fault("5",
                                           "<f:Message><f:ProviderFault provider=\"x\"><f:WSManFault "
                                           "Code=\"7\"><f:Message>inner\r\ntext</f:Message>"
                                           "</f:WSManFault></f:ProviderFault></f:Message>"));
    CHECK(nested.code() == 5);
    const std::string described = nested.reason();
    CHECK(described.find("WinRM fault 5 (0x00000005): the user may not use remote management") == 0);
    CHECK(described.find('\n') == std::string::npos);
    CHECK(described.find("inner") != std::string::npos);
    CHECK_THROWS_AS(check_answer(answer(request, fault("5", "")), request), WsmanFault);
    CHECK_FALSE(read_fault("<html/>"));
    CHECK_FALSE(read_fault(answer(request, "")));
}
