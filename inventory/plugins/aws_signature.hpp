#pragma once

#include <chrono>
#include <map>
#include <string>

namespace volley::inventory {

/// An access key of AWS. `session_token` belongs to temporary ones; empty else.
struct AwsKeys {
    std::string id;
    std::string secret;
    std::string session_token;
};

/// What is signed of a request.
struct AwsRequest {
    std::string method = "POST";
    std::string path = "/";                      ///< escaped
    std::string query;                           ///< sorted and escaped
    std::map<std::string, std::string> headers;  ///< names in lower case; "host" and "x-amz-date" among them
    std::string body;
};

/// "20150830T123600Z".
std::string aws_timestamp(std::chrono::system_clock::time_point when);

/// The value of the header Authorization: AWS Signature Version 4 over all headers of the request.
std::string aws_authorization(const AwsRequest& request, const AwsKeys& keys, const std::string& region,
                              const std::string& service);

}  // namespace volley::inventory
