#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/json/json.hpp"

namespace volley {

/// What went wrong, as data: the shape that users, plans and JSON output see.
/// `kind` is a stable id such as "bolt/cli-error"; `msg` is one sentence for people; `details` is a JSON
/// object (null means {}); `issue_code` is empty when there is none.
class ErrorInfo {
public:
    ErrorInfo(std::string_view kind, std::string_view msg);
    ErrorInfo(std::string_view kind, std::string_view msg, Json details, std::string_view issue_code = {});
    ErrorInfo(const ErrorInfo&);
    ErrorInfo(ErrorInfo&&) noexcept;
    ErrorInfo& operator=(const ErrorInfo&);
    ErrorInfo& operator=(ErrorInfo&&) noexcept;
    ~ErrorInfo();

    const std::string& kind() const noexcept { return kind_; }
    const std::string& msg() const noexcept { return msg_; }
    const std::string& issue_code() const noexcept { return issue_code_; }
    const Json& details() const noexcept { return *details_; }
    /// {"kind", "msg", "details", "issue_code" when there is one}, in that order.
    Json to_json() const;

private:
    std::string kind_;
    std::string msg_;
    std::string issue_code_;
    std::unique_ptr<Json> details_;
};

/// An ErrorInfo on its way up. What a target does wrong is caught at the target's job and becomes part of
/// its result; everything else reaches the top and ends the command (exit status 1).
class Error : public std::runtime_error {
public:
    explicit Error(ErrorInfo info);
    Error(std::string_view kind, std::string_view msg);
    Error(std::string_view kind, std::string_view msg, Json details, std::string_view issue_code = {});
    const ErrorInfo& info() const noexcept { return *info_; }

private:
    std::shared_ptr<const ErrorInfo> info_;  // exceptions are copied; copying must not throw
};

}  // namespace volley
