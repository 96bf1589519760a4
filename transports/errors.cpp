#include "transports/errors.hpp"

#include <nlohmann/json.hpp>

#include "support/unicode/printable.hpp"

namespace volley::transports {
namespace {

/// Many messages contain text of a server or target: its control characters never reach a terminal
/// (SEC-17.1).
std::string shown(std::string_view msg) {
    std::string text(msg);
    for (std::size_t at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at))
        text.erase(at, 1);
    return printable(text, "\n\t");
}

}  // namespace

NotStarted::NotStarted(std::string_view msg)
    : TransportError("puppetlabs.tasks/connect-error", shown(msg), Json::object(), "CONNECT_ERROR") {}

TransportError connect_error(std::string_view msg, std::string_view issue_code) {
    return TransportError("puppetlabs.tasks/connect-error", shown(msg), Json::object(), issue_code);
}

TransportError no_host_error(std::string_view safe_name) {
    return connect_error(
        "Target " + std::string(safe_name) +
        " does not have a host: give it a 'uri' in the inventory, as its name is not an address");
}

TransportError escalate_error(std::string_view msg, std::string_view issue_code) {
    return TransportError("puppetlabs.tasks/escalate-error", shown(msg), Json::object(), issue_code);
}

TransportError file_error(std::string_view msg, std::string_view issue_code) {
    return TransportError("puppetlabs.tasks/task_file_error", shown(msg), Json::object(), issue_code);
}

}  // namespace volley::transports
