// What recorded exchanges with Windows (Server 2008 R2 to 2016) have in their requests, as facts, against
// ours.
#include <catch2/catch.hpp>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <vector>

#include "transports/winrm/wsman/wsman.hpp"

using namespace volley::transports::winrm;

namespace {

const std::string soap = "{http://www.w3.org/2003/05/soap-envelope}";
const std::string addressing = "{http://schemas.xmlsoap.org/ws/2004/08/addressing}";
const std::string wsman = "{http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd}";
const std::string microsoft = "{http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd}";
const std::string shell = "{http://schemas.microsoft.com/wbem/wsman/1/windows/shell}";
const std::string powershell = "{http://schemas.microsoft.com/powershell}";
const std::string transfer_action = "http://schemas.xmlsoap.org/ws/2004/09/transfer/";
const std::string shell_action = "http://schemas.microsoft.com/wbem/wsman/1/windows/shell/";

/// "{namespace}name": prefixes are free.
std::string full_name(const pugi::xml_node& element) {
    const std::string name = element.name();
    const std::size_t colon = name.find(':');
    const std::string declaration = colon == std::string::npos ? "xmlns" : "xmlns:" + name.substr(0, colon);
    for (pugi::xml_node at = element; at; at = at.parent())
        if (const auto found = at.attribute(declaration.c_str()))
            return "{" + std::string(found.value()) + "}" + name.substr(colon + 1);
    return name;
}

/// Of an attribute of SOAP's namespace; "-" where there is none.
std::string must_understand(const pugi::xml_node& element) {
    for (const auto& attribute : element.attributes()) {
        const std::string name = attribute.name();
        if (!name.ends_with(":mustUnderstand")) continue;
        const std::string declaration = "xmlns:" + name.substr(0, name.find(':'));
        CHECK("{" + std::string(element.root().first_child().attribute(declaration.c_str()).value()) + "}" ==
              soap);
        return attribute.value();
    }
    return "-";
}

pugi::xml_node child(const pugi::xml_node& parent, const std::string& name) {
    for (const pugi::xml_node& element : parent)
        if (full_name(element) == name) return element;
    return {};
}

/// An element of a body with its attributes and text, and the elements in it: "{ns}name A=value:text".
void list_body(const pugi::xml_node& parent, std::vector<std::string>& found) {
    for (const pugi::xml_node& element : parent) {
        if (element.type() != pugi::node_element) continue;
        std::string line = full_name(element);
        for (const auto& attribute : element.attributes())
            if (std::string_view(attribute.name()).find("xmlns") != 0)
                line += " " + std::string(attribute.name()) + "=" + attribute.value();
        const std::string text = element.child_value();
        found.push_back(text.empty() ? line : line + ":" + text);
        list_body(element, found);
    }
}

struct Facts {
    std::string name;
    Envelope request;
    std::string action;
    std::string timeout;
    std::vector<std::string> options;  // "name=value", with a `!` where the server must comply
    std::vector<std::string> body;
};

std::vector<Facts> all_requests(const EnvelopeWriter& writer) {
    using Signal = EnvelopeWriter::Signal;
    const std::vector<std::string> keep_alive{"WSMAN_CMDSHELL_OPTION_KEEPALIVE=TRUE"};
    const auto signal = [&](const std::string& code) {
        return std::vector<std::string>{shell + "Signal CommandId=COMMAND", shell + "Code:" + code};
    };
    return {
        {"create",
         writer.create("SHELL", "a"),
         transfer_action + "Create",
         "PT60S",
         {"protocolversion=2.3!"},
         {shell + "Shell ShellId=SHELL Name=Volley", shell + "InputStreams:stdin pr",
          shell + "OutputStreams:stdout", powershell + "creationXml:YQ=="}},
        {"command",
         writer.command("SHELL", "COMMAND", "a"),
         shell_action + "Command",
         "PT60S",
         {},
         {shell + "CommandLine CommandId=COMMAND", shell + "Command", shell + "Arguments:YQ=="}},
        {"send",
         writer.send("SHELL", "COMMAND", "pr", {"a", "b"}),
         shell_action + "Send",
         "PT60S",
         {},
         {shell + "Send",
          shell + "Stream Name=pr CommandId=COMMAND:YQ==", shell + "Stream Name=pr CommandId=COMMAND:Yg=="}},
        {"receive of a command",
         writer.receive("SHELL", "COMMAND"),
         shell_action + "Receive",
         "PT20S",
         keep_alive,
         {shell + "Receive", shell + "DesiredStream CommandId=COMMAND:stdout"}},
        {"receive of the pool",
         writer.receive("SHELL", ""),
         shell_action + "Receive",
         "PT20S",
         keep_alive,
         {shell + "Receive", shell + "DesiredStream:stdout"}},
        {"stop",
         writer.signal("SHELL", "COMMAND", Signal::Stop),
         shell_action + "Signal",
         "PT60S",
         {},
         signal("powershell/signal/crtl_c")},
        {"terminate",
         writer.signal("SHELL", "COMMAND", Signal::Terminate),
         shell_action + "Signal",
         "PT60S",
         {},
         signal(shell_action + "signal/terminate")},
        {"delete", writer.remove("SHELL"), transfer_action + "Delete", "PT60S", {}, {}},
    };
}

}  // namespace

TEST_CASE("every request has the header that Windows' clients send, and nothing else", "[winrm]") {
    const EnvelopeWriter writer("http://h:5985/wsman", std::chrono::seconds(20));
    // Locales must not be understood: a server that does not have one would refuse the request.
    const std::map<std::string, std::string> always{
        {addressing + "Action", "true"},     {addressing + "To", "-"},
        {addressing + "ReplyTo", "-"},       {addressing + "MessageID", "-"},
        {wsman + "ResourceURI", "true"},     {wsman + "MaxEnvelopeSize", "true"},
        {wsman + "OperationTimeout", "-"},   {wsman + "Locale", "false"},
        {microsoft + "DataLocale", "false"}, {microsoft + "SessionId", "false"},
    };
    for (const Facts& facts : all_requests(writer)) {
        DYNAMIC_SECTION(facts.name) {
            pugi::xml_document document;
            REQUIRE(document.load_string(facts.request.text.c_str()));
            const pugi::xml_node envelope = document.document_element();
            CHECK(full_name(envelope) == soap + "Envelope");
            const pugi::xml_node header = child(envelope, soap + "Header");
            std::map<std::string, std::string> wanted = always;
            if (facts.name != "create") wanted.emplace(wsman + "SelectorSet", "-");
            if (!facts.options.empty()) wanted.emplace(wsman + "OptionSet", "true");
            std::map<std::string, std::string> found;
            for (const pugi::xml_node& element : header)
                CHECK(found.emplace(full_name(element), must_understand(element)).second);
            CHECK(found == wanted);
            const auto text = [&](const std::string& name) {
                return std::string(child(header, name).child_value());
            };
            CHECK(text(addressing + "Action") == facts.action);
            CHECK(text(addressing + "To") == "http://h:5985/wsman");
            CHECK(text(addressing + "MessageID") == facts.request.message_id);
            CHECK(facts.request.message_id.find("uuid:") == 0);
            CHECK(text(wsman + "ResourceURI") ==
                  "http://schemas.microsoft.com/powershell/Microsoft.PowerShell");
            CHECK(text(wsman + "MaxEnvelopeSize") == "153600");
            CHECK(text(wsman + "OperationTimeout") == facts.timeout);
            const pugi::xml_node reply = child(child(header, addressing + "ReplyTo"), addressing + "Address");
            CHECK(must_understand(reply) == "true");
            CHECK(std::string(reply.child_value()) ==
                  "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous");
            for (const std::string& locale : {wsman + "Locale", microsoft + "DataLocale"})
                CHECK(std::string(child(header, locale).attribute("xml:lang").value()) == "en-US");
        }
    }
}

TEST_CASE("every request has the selectors, options and body that Windows' clients send", "[winrm]") {
    const EnvelopeWriter writer("http://h:5985/wsman", std::chrono::seconds(20));
    std::set<std::string> messages;
    std::set<std::string> sessions;
    for (const Facts& facts : all_requests(writer)) {
        INFO(facts.name);
        pugi::xml_document document;
        REQUIRE(document.load_string(facts.request.text.c_str()));
        const pugi::xml_node envelope = document.document_element();
        const pugi::xml_node header = child(envelope, soap + "Header");
        std::vector<std::string> selectors;
        list_body(child(header, wsman + "SelectorSet"), selectors);
        CHECK(selectors == (facts.name == "create"
                                ? std::vector<std::string>()
                                : std::vector<std::string>{wsman + "Selector Name=ShellId:SHELL"}));
        std::vector<std::string> options;
        for (const pugi::xml_node& option : child(header, wsman + "OptionSet")) {
            CHECK(full_name(option) == wsman + "Option");
            const bool must = std::string_view(option.attribute("MustComply").value()) == "true";
            options.push_back(std::string(option.attribute("Name").value()) + "=" + option.child_value() +
                              (must ? "!" : ""));
        }
        CHECK(options == facts.options);
        std::vector<std::string> body;
        list_body(child(envelope, soap + "Body"), body);
        CHECK(body == facts.body);
        messages.insert(facts.request.message_id);
        sessions.insert(child(header, microsoft + "SessionId").child_value());
    }
    CHECK(messages.size() == all_requests(writer).size());
    CHECK(sessions.size() == 1);
}
