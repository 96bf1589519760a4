#include "transports/errors.hpp"

#include <nlohmann/json.hpp>

namespace volley::transports {

NotStarted::NotStarted(std::string_view msg)
    : TransportError("puppetlabs.tasks/connect-error", msg, Json::object(), "CONNECT_ERROR") {}

TransportError connect_error(std::string_view msg, std::string_view issue_code) {
    return TransportError("puppetlabs.tasks/connect-error", msg, Json::object(), issue_code);
}

TransportError escalate_error(std::string_view msg, std::string_view issue_code) {
    return TransportError("puppetlabs.tasks/escalate-error", msg, Json::object(), issue_code);
}

TransportError file_error(std::string_view msg, std::string_view issue_code) {
    return TransportError("puppetlabs.tasks/task_file_error", msg, Json::object(), issue_code);
}

}  // namespace volley::transports
