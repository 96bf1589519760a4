#include "support/error.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace volley {

ErrorInfo::ErrorInfo(std::string_view kind, std::string_view msg)
    : kind_(kind), msg_(msg), details_(std::make_unique<Json>(Json::object())) {}

ErrorInfo::ErrorInfo(std::string_view kind, std::string_view msg, Json details, std::string_view issue_code)
    : kind_(kind),
      msg_(msg),
      issue_code_(issue_code),
      details_(std::make_unique<Json>(details.is_null() ? Json::object() : std::move(details))) {}

ErrorInfo::ErrorInfo(const ErrorInfo& other)
    : kind_(other.kind_),
      msg_(other.msg_),
      issue_code_(other.issue_code_),
      details_(std::make_unique<Json>(*other.details_)) {}

ErrorInfo::ErrorInfo(ErrorInfo&&) noexcept = default;
ErrorInfo& ErrorInfo::operator=(ErrorInfo&&) noexcept = default;
ErrorInfo::~ErrorInfo() = default;

ErrorInfo& ErrorInfo::operator=(const ErrorInfo& other) {
    if (this != &other) *this = ErrorInfo(other);
    return *this;
}

Json ErrorInfo::to_json() const {
    Json json = Json::object();
    json["kind"] = kind_;
    json["msg"] = msg_;
    json["details"] = *details_;
    if (!issue_code_.empty()) json["issue_code"] = issue_code_;
    return json;
}

Error::Error(ErrorInfo info)
    : std::runtime_error(info.msg()), info_(std::make_shared<const ErrorInfo>(std::move(info))) {}

Error::Error(std::string_view kind, std::string_view msg) : Error(ErrorInfo(kind, msg)) {}

Error::Error(std::string_view kind, std::string_view msg, Json details, std::string_view issue_code)
    : Error(ErrorInfo(kind, msg, std::move(details), issue_code)) {}

}  // namespace volley
