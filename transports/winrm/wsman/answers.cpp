#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>

#include "support/text.hpp"
#include "transports/winrm/wsman/namespaces.hpp"
#include "transports/winrm/wsman/wsman.hpp"

namespace volley::transports::winrm {
namespace {

// More is not one answer of a server that keeps to EnvelopeWriter::most_answer.
constexpr std::ptrdiff_t most_answer_tags = 100'000;

std::string_view local_name(const pugi::xml_node& element) {
    const std::string_view name = element.name();
    const std::size_t colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

/// Prefixes differ between servers: what counts is what they stand for.
std::string_view namespace_of(const pugi::xml_node& element) {
    const std::string_view name = element.name();
    const std::size_t colon = name.find(':');
    const std::string attribute =
        colon == std::string_view::npos ? "xmlns" : fmt::format("xmlns:{}", name.substr(0, colon));
    for (pugi::xml_node at = element; at; at = at.parent())
        if (const auto declared = at.attribute(attribute.c_str())) return declared.value();
    return {};
}

pugi::xml_node child(const pugi::xml_node& parent, std::string_view space, std::string_view name) {
    for (const pugi::xml_node& element : parent)
        if (local_name(element) == name && namespace_of(element) == space) return element;
    return {};
}

std::string text_of(const pugi::xml_node& element) { return std::string(trim(element.child_value())); }

/// All text in an element, those of elements in it too; they are at most a few levels deep.
std::string deep_text(const pugi::xml_node& element, unsigned depth = 0) {
    constexpr unsigned deepest = 20;
    std::string text;
    if (depth > deepest) return text;
    for (const pugi::xml_node& part : element) {
        if (part.type() == pugi::node_element) {
            text += deep_text(part, depth + 1);
        } else {
            text += part.value();
        }
    }
    return std::string(trim(text));
}

/// The innermost WSManFault's text is the one that says something.
std::string innermost_message(const pugi::xml_node& outer) {
    constexpr unsigned deepest = 20;
    std::string text;
    pugi::xml_node at = outer;
    for (unsigned depth = 0; at && depth < deepest; ++depth) {
        const pugi::xml_node message = child(at, ns::fault, "Message");
        if (!message) break;
        std::string own;
        for (const pugi::xml_node& part : message)
            if (part.type() == pugi::node_pcdata || part.type() == pugi::node_cdata) own += part.value();
        const pugi::xml_node provider = child(message, ns::fault, "ProviderFault");
        const pugi::xml_node next = child(provider, ns::fault, "WSManFault");
        if (provider && !next) own += deep_text(provider);
        if (!trim(own).empty()) text = trim(own);
        at = next;
    }
    return text;
}

std::optional<WsmanFault> fault_in(const pugi::xml_node& envelope) {
    const pugi::xml_node fault = child(child(envelope, ns::soap, "Body"), ns::soap, "Fault");
    if (!fault) return std::nullopt;
    const pugi::xml_node subcode = child(child(fault, ns::soap, "Code"), ns::soap, "Subcode");
    std::string subcode_name = text_of(child(subcode, ns::soap, "Value"));
    subcode_name.erase(0, subcode_name.find(':') + 1);  // npos + 1 is 0
    const pugi::xml_node detail = child(child(fault, ns::soap, "Detail"), ns::fault, "WSManFault");
    std::uint32_t code = 0;
    const std::string_view number = detail.attribute("Code").value();
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), code);
    if (error != std::errc() || end != number.data() + number.size()) code = 0;
    std::string text = innermost_message(detail);
    if (text.empty()) text = deep_text(child(fault, ns::soap, "Reason"));
    const std::string activity =
        text_of(child(child(envelope, ns::soap, "Header"), ns::microsoft, "ActivityId"));
    return WsmanFault(code, std::move(subcode_name), text, activity);
}

/// An answer as a tree. Neither document types nor entities beyond XML's five are read.
class Answer {
public:
    explicit Answer(std::string text) : text_(std::move(text)) {
        if (std::count(text_.begin(), text_.end(), '<') > most_answer_tags)
            throw WsmanError("the answer has too many elements");
        constexpr unsigned how = pugi::parse_escapes | pugi::parse_cdata | pugi::parse_wconv_attribute;
        const pugi::xml_parse_result result =
            xml_.load_buffer_inplace(text_.data(), text_.size(), how, pugi::encoding_utf8);
        if (!result) throw WsmanError(fmt::format("the answer is not valid XML: {}", result.description()));
        envelope_ = xml_.document_element();
        if (local_name(envelope_) != "Envelope" || namespace_of(envelope_) != ns::soap)
            throw WsmanError("the answer is not a SOAP envelope");
    }
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    /// The body of the answer to `request`, and not of any other one.
    pugi::xml_node body(const Envelope& request) const {
        if (const auto fault = fault_in(envelope_)) throw *fault;
        const std::string relates =
            text_of(child(child(envelope_, ns::soap, "Header"), ns::addressing, "RelatesTo"));
        if (lower(relates) != lower(request.message_id))
            throw WsmanError("the answer belongs to another request");
        return child(envelope_, ns::soap, "Body");
    }
    const pugi::xml_node& envelope() const noexcept { return envelope_; }

private:
    std::string text_;
    pugi::xml_document xml_;
    pugi::xml_node envelope_;
};

std::string selector(const pugi::xml_node& set) {
    for (const pugi::xml_node& element : set)
        if (local_name(element) == "Selector" &&
            std::string_view(element.attribute("Name").value()) == "ShellId")
            return text_of(element);
    return {};
}

}  // namespace

void check_answer(std::string answer, const Envelope& request) {
    const Answer parsed(std::move(answer));
    static_cast<void>(parsed.body(request));
}

std::string read_create_answer(std::string answer, const Envelope& request) {
    const Answer parsed(std::move(answer));
    const pugi::xml_node body = parsed.body(request);
    const pugi::xml_node parameters =
        child(child(body, ns::transfer, "ResourceCreated"), ns::addressing, "ReferenceParameters");
    std::string id = selector(child(parameters, ns::wsman, "SelectorSet"));
    if (id.empty()) id = text_of(child(child(body, ns::shell, "Shell"), ns::shell, "ShellId"));
    if (id.empty()) throw WsmanError("the answer names no shell");
    return id;
}

std::string read_command_answer(std::string answer, const Envelope& request) {
    const Answer parsed(std::move(answer));
    const pugi::xml_node response = child(parsed.body(request), ns::shell, "CommandResponse");
    std::string id = text_of(child(response, ns::shell, "CommandId"));
    if (id.empty()) throw WsmanError("the answer names no command");
    return id;
}

ReceiveAnswer read_receive_answer(std::string answer, const Envelope& request) {
    const Answer parsed(std::move(answer));
    const pugi::xml_node response = child(parsed.body(request), ns::shell, "ReceiveResponse");
    if (!response) throw WsmanError("the answer has no output");
    ReceiveAnswer received;
    for (const pugi::xml_node& element : response) {
        if (namespace_of(element) != ns::shell) continue;
        if (local_name(element) == "Stream") {
            auto bytes = base64_decode(element.child_value());
            if (!bytes) throw WsmanError("the output in the answer is not valid base64");
            if (bytes->empty()) continue;
            received.streams.push_back({element.attribute("Name").value(),
                                        element.attribute("CommandId").value(), std::move(*bytes)});
        } else if (local_name(element) == "CommandState") {
            received.done =
                std::string_view(element.attribute("State").value()).ends_with("/CommandState/Done");
        }
    }
    return received;
}

std::optional<WsmanFault> read_fault(std::string answer) {
    try {
        const Answer parsed(std::move(answer));
        return fault_in(parsed.envelope());
    } catch (const WsmanError&) {
        return std::nullopt;
    }
}

}  // namespace volley::transports::winrm
