#include "inventory/plugins/aws_signature.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <string_view>

namespace volley::inventory {
namespace {

constexpr std::string_view aws_algorithm = "AWS4-HMAC-SHA256";

std::string aws_hex(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
}

std::string aws_hash(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
    return aws_hex({reinterpret_cast<const char*>(digest.data()), size});
}

std::string aws_hmac(std::string_view key, std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
    return {reinterpret_cast<const char*>(digest.data()), size};
}

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
                                              request.query, lines, names, aws_hash(request.body));
    const std::string& timestamp = request.headers.at("x-amz-date");
    const std::string date = timestamp.substr(0, 8);
    const std::string scope = fmt::format("{}/{}/{}/aws4_request", date, region, service);
    const std::string to_sign =
        fmt::format("{}\n{}\n{}\n{}", aws_algorithm, timestamp, scope, aws_hash(canonical));
    std::string key = aws_hmac("AWS4" + keys.secret, date);
    for (const std::string_view part :
         {std::string_view(region), std::string_view(service), std::string_view("aws4_request")})
        key = aws_hmac(key, part);
    return fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", aws_algorithm, keys.id, scope,
                       names, aws_hex(aws_hmac(key, to_sign)));
}

}  // namespace volley::inventory
