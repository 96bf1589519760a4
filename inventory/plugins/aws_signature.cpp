#include "inventory/plugins/aws_signature.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <string_view>

#include "support/crypto/digest.hpp"

namespace volley::inventory {
namespace {

constexpr std::string_view aws_algorithm = "AWS4-HMAC-SHA256";

}  // namespace

std::string aws_timestamp(std::chrono::system_clock::time_point when) {
    return fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(when)));
}

std::string aws_authorization(const AwsRequest& request, const AwsKeys& keys, const std::string& region,
                              const std::string& service) {
    std::string lines;
    std::string names;
    for (const auto& [name, value] : request.headers) {
        lines += name + ":" + value + "\n";
        names += (names.empty() ? "" : ";") + name;
    }
    const std::string canonical = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, request.path,
                                              request.query, lines, names, sha256_hex(request.body));
    const std::string& timestamp = request.headers.at("x-amz-date");
    const std::string date = timestamp.substr(0, 8);
    const std::string scope = fmt::format("{}/{}/{}/aws4_request", date, region, service);
    const std::string to_sign =
        fmt::format("{}\n{}\n{}\n{}", aws_algorithm, timestamp, scope, sha256_hex(canonical));
    std::string key = hmac_sha256("AWS4" + keys.secret, date);
    for (const std::string_view part :
         {std::string_view(region), std::string_view(service), std::string_view("aws4_request")})
        key = hmac_sha256(key, part);
    return fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", aws_algorithm, keys.id, scope,
                       names, hex_text(hmac_sha256(key, to_sign)));
}

}  // namespace volley::inventory
