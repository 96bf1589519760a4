// Encrypted SOAP messages in HTTP: multipart/encrypted (MS-WSMV 2.2.9.1).
#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "transports/winrm/security/security_context.hpp"

namespace volley::transports::winrm {
namespace {

constexpr std::string_view boundary = "--Encrypted Boundary";
// The headers of both parts have some 250 bytes; no signature has more than 100.
constexpr std::size_t most_header = 4096;
constexpr std::size_t most_signature = 4096;

std::uint32_t little_endian_32(std::string_view bytes) noexcept {
    std::uint32_t number = 0;
    for (unsigned at = 0; at < 4; ++at)
        number |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[at])) << (8 * at);
    return number;
}

}  // namespace

std::string sealed_content_type(std::string_view protocol) {
    return fmt::format(R"(multipart/encrypted;protocol="{}";boundary="Encrypted Boundary")", protocol);
}

std::string encode_sealed_body(std::string_view protocol, std::size_t clear_size,
                               const SealedMessage& message) {
    std::string body = fmt::format(
        "{0}\r\n\tContent-Type: {1}\r\n\tOriginalContent: "
        "type=application/soap+xml;charset=UTF-8;Length={2}\r\n"
        "{0}\r\n\tContent-Type: application/octet-stream\r\n",
        boundary, protocol, clear_size);
    for (unsigned at = 0; at < 4; ++at)
        body += static_cast<char>(static_cast<std::uint8_t>(message.header.size() >> (8 * at)));
    body += message.header;
    body += message.content;
    body += boundary;
    body += "--\r\n";
    return body;
}

SealedBody decode_sealed_body(std::string_view body) {
    constexpr std::string_view binary = "application/octet-stream\r\n";
    constexpr std::string_view length_name = "Length=";
    const std::size_t begin = body.substr(0, most_header).find(binary);
    if (begin == std::string_view::npos) throw SecurityError("an encrypted answer has no encrypted part");
    const std::string_view headers = body.substr(0, begin);
    const std::size_t length_at = headers.find(length_name);
    SealedBody sealed;
    if (length_at == std::string_view::npos) throw SecurityError("an encrypted answer has no length");
    const char* digits = headers.data() + length_at + length_name.size();
    if (std::from_chars(digits, headers.data() + headers.size(), sealed.clear_size).ec != std::errc())
        throw SecurityError("an encrypted answer has no length");
    std::string_view rest = body.substr(begin + binary.size());
    if (rest.size() < 4) throw SecurityError("an encrypted answer ends too early");
    const std::size_t header_size = little_endian_32(rest);
    rest.remove_prefix(4);
    if (header_size > most_signature || header_size > rest.size() ||
        sealed.clear_size > rest.size() - header_size)
        throw SecurityError("an encrypted answer ends too early");
    sealed.message.header = rest.substr(0, header_size);
    sealed.message.content = rest.substr(header_size, sealed.clear_size);
    // Exchange writes a space after the two dashes.
    if (!rest.substr(header_size + sealed.clear_size).starts_with("--"))
        throw SecurityError("the lengths of an encrypted answer are wrong");
    return sealed;
}

}  // namespace volley::transports::winrm
