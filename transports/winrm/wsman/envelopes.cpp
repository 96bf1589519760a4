#include <fmt/format.h>

#include <algorithm>

#include "support/text.hpp"
#include "transports/winrm/psrp/guid.hpp"
#include "transports/winrm/wsman/namespaces.hpp"
#include "transports/winrm/wsman/wsman.hpp"

namespace volley::transports::winrm {
namespace {

std::string xml_escape(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        switch (letter) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += letter;
        }
    }
    return escaped;
}

std::string fresh_uuid() { return "uuid:" + Guid::random().text(); }

std::string shell_action(std::string_view name) { return fmt::format("{}/{}", ns::shell, name); }

// Marks the options that a server must know or refuse.
constexpr std::string_view protocol_version_option =
    R"(<w:OptionSet s:mustUnderstand="true"><w:Option Name="protocolversion" MustComply="true">2.3</w:Option></w:OptionSet>)";
constexpr std::string_view keep_alive_option =
    R"(<w:OptionSet s:mustUnderstand="true"><w:Option Name="WSMAN_CMDSHELL_OPTION_KEEPALIVE">TRUE</w:Option></w:OptionSet>)";

}  // namespace

/// What differs between envelopes.
struct EnvelopeWriter::Parts {
    std::string action;
    std::string_view shell_id;  // empty: none yet
    std::string body;
    std::string_view options{};
    std::chrono::seconds timeout = usual_timeout;
};

EnvelopeWriter::EnvelopeWriter(std::string endpoint, std::chrono::seconds receive_timeout)
    : endpoint_(std::move(endpoint)), receive_timeout_(receive_timeout), session_(fresh_uuid()) {}

Envelope EnvelopeWriter::envelope(const Parts& parts) const {
    Envelope made;
    made.message_id = fresh_uuid();
    made.held = parts.timeout;
    std::string selectors;
    if (!parts.shell_id.empty())
        selectors =
            fmt::format(R"(<w:SelectorSet><w:Selector Name="ShellId">{}</w:Selector></w:SelectorSet>)",
                        xml_escape(parts.shell_id));
    made.text = fmt::format(
        R"(<s:Envelope xmlns:s="{}" xmlns:a="{}" xmlns:w="{}" xmlns:p="{}" xmlns:rsp="{}"><s:Header>)"
        R"(<a:Action s:mustUnderstand="true">{}</a:Action><a:To>{}</a:To>)"
        R"(<a:ReplyTo><a:Address s:mustUnderstand="true">{}/role/anonymous</a:Address></a:ReplyTo>)"
        R"(<a:MessageID>{}</a:MessageID>)"
        R"(<w:ResourceURI s:mustUnderstand="true">{}/Microsoft.PowerShell</w:ResourceURI>{}{})"
        R"(<w:MaxEnvelopeSize s:mustUnderstand="true">{}</w:MaxEnvelopeSize>)"
        R"(<w:OperationTimeout>PT{}S</w:OperationTimeout>)"
        R"(<w:Locale xml:lang="en-US" s:mustUnderstand="false" />)"
        R"(<p:DataLocale xml:lang="en-US" s:mustUnderstand="false" />)"
        R"(<p:SessionId s:mustUnderstand="false">{}</p:SessionId></s:Header><s:Body>{}</s:Body></s:Envelope>)",
        ns::soap, ns::addressing, ns::wsman, ns::microsoft, ns::shell, parts.action, xml_escape(endpoint_),
        ns::addressing, made.message_id, ns::powershell, selectors, parts.options, most_answer,
        parts.timeout.count(), session_, parts.body);
    return made;
}

Envelope EnvelopeWriter::create(std::string_view shell_id, std::string_view fragments) const {
    std::string body = fmt::format(
        R"(<rsp:Shell ShellId="{}" Name="Volley"><rsp:InputStreams>stdin pr</rsp:InputStreams>)"
        R"(<rsp:OutputStreams>stdout</rsp:OutputStreams><creationXml xmlns="{}">{}</creationXml></rsp:Shell>)",
        shell_id, ns::powershell, base64_encode(fragments));
    return envelope({fmt::format("{}/Create", ns::transfer), {}, std::move(body), protocol_version_option});
}

Envelope EnvelopeWriter::command(std::string_view shell_id, std::string_view command_id,
                                 std::string_view fragment) const {
    std::string body = fmt::format(
        R"(<rsp:CommandLine CommandId="{}"><rsp:Command></rsp:Command><rsp:Arguments>{}</rsp:Arguments></rsp:CommandLine>)",
        command_id, base64_encode(fragment));
    return envelope({shell_action("Command"), shell_id, std::move(body)});
}

Envelope EnvelopeWriter::send(std::string_view shell_id, std::string_view command_id, std::string_view stream,
                              const std::vector<std::string>& fragments) const {
    std::string body = "<rsp:Send>";
    for (const std::string& fragment : fragments)
        body += fmt::format(R"(<rsp:Stream Name="{}" CommandId="{}">{}</rsp:Stream>)", stream,
                            xml_escape(command_id), base64_encode(fragment));
    body += "</rsp:Send>";
    return envelope({shell_action("Send"), shell_id, std::move(body)});
}

Envelope EnvelopeWriter::receive(std::string_view shell_id, std::string_view command_id) const {
    const std::string which =
        command_id.empty() ? std::string() : fmt::format(R"( CommandId="{}")", xml_escape(command_id));
    std::string body =
        fmt::format("<rsp:Receive><rsp:DesiredStream{}>stdout</rsp:DesiredStream></rsp:Receive>", which);
    return envelope(
        {shell_action("Receive"), shell_id, std::move(body), keep_alive_option, receive_timeout_});
}

Envelope EnvelopeWriter::signal(std::string_view shell_id, std::string_view command_id, Signal signal) const {
    // "crtl" is how the server spells it (MS-PSRP 3.1.5.4).
    const std::string code =
        signal == Signal::Stop ? "powershell/signal/crtl_c" : shell_action("signal/terminate");
    std::string body = fmt::format(R"(<rsp:Signal CommandId="{}"><rsp:Code>{}</rsp:Code></rsp:Signal>)",
                                   xml_escape(command_id), code);
    return envelope({shell_action("Signal"), shell_id, std::move(body)});
}

Envelope EnvelopeWriter::remove(std::string_view shell_id) const {
    return envelope({fmt::format("{}/Delete", ns::transfer), shell_id, {}});
}

}  // namespace volley::transports::winrm
