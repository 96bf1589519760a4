#include "transports/winrm/psrp/record_text.hpp"

#include <fmt/format.h>

namespace volley::transports::winrm {
namespace {

std::string member_text(const ClixmlValue* value, std::string_view name) {
    const ClixmlValue* member = value != nullptr ? value->member(name) : nullptr;
    return member != nullptr ? object_text(*member) : std::string();
}

std::string with_details(const std::string& first, const ClixmlValue& record) {
    return fmt::format("{}\n    + CategoryInfo          : {}\n    + FullyQualifiedErrorId : {}\n", first,
                       member_text(&record, "ErrorCategory_Message"),
                       member_text(&record, "FullyQualifiedErrorId"));
}

}  // namespace

std::string object_text(const ClixmlValue& value) {
    if (value.is_nil()) return {};
    if (value.tag == "B") return value.text == "true" ? "True" : "False";
    // An enumeration has both a text and a number.
    if (value.wrapped != nullptr && value.text.empty()) return object_text(*value.wrapped);
    return value.text;
}

std::string error_message(const ClixmlValue& record) {
    std::string details = member_text(&record, "ErrorDetails_Message");
    return details.empty() ? member_text(record.member("Exception"), "Message") : details;
}

std::string error_record_text(const ClixmlValue& record) {
    const std::string id = member_text(&record, "FullyQualifiedErrorId");
    const ClixmlValue* invocation = record.member("InvocationInfo");
    const std::string message = error_message(record);
    if (id == "Microsoft.PowerShell.Commands.WriteErrorException")
        return with_details(fmt::format("{} : {}", member_text(invocation, "Line"), message), record);
    if (id == "NativeCommandError")
        return with_details(fmt::format("{} : {}", member_text(invocation, "MyCommand"), message), record);
    // One line of a native program's stderr.
    if (id == "NativeCommandErrorMessage") return message.ends_with('\n') ? message : message + '\n';
    return with_details(fmt::format("{}\n{}", message, member_text(invocation, "PositionMessage")), record);
}

std::string ending_error_text(const ClixmlValue& record) {
    return with_details(error_message(record), record);
}

}  // namespace volley::transports::winrm
