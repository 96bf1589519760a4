#include "transports/winrm/psrp/message.hpp"

#include "support/unicode/byte_order_mark.hpp"
#include "transports/winrm/psrp/protocol_error.hpp"

namespace volley::transports::winrm {
namespace {

constexpr std::size_t message_header_size = 40;
constexpr std::uint32_t for_client = 1;
constexpr std::uint32_t for_server = 2;

void put_little_endian(std::string& bytes, std::uint32_t number) {
    for (unsigned at = 0; at < 4; ++at)
        bytes += static_cast<char>(static_cast<std::uint8_t>(number >> (8 * at)));
}

std::uint32_t little_endian(std::string_view bytes) noexcept {
    std::uint32_t number = 0;
    for (unsigned at = 0; at < 4; ++at)
        number |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[at])) << (8 * at);
    return number;
}

}  // namespace

std::string encode_message(const Message& message) {
    std::string bytes;
    bytes.reserve(message_header_size + message.data.size());
    put_little_endian(bytes, for_server);
    put_little_endian(bytes, static_cast<std::uint32_t>(message.type));
    bytes += message.pool.bytes();
    bytes += message.pipeline.bytes();
    bytes += message.data;
    return bytes;
}

Message decode_message(std::string_view bytes) {
    if (bytes.size() < message_header_size)
        throw ProtocolError("a PowerShell remoting message ends within its header");
    if (little_endian(bytes) != for_client)
        throw ProtocolError("a PowerShell remoting message is not addressed to the client");
    Message message;
    message.type = static_cast<MessageType>(little_endian(bytes.substr(4)));
    message.pool = Guid::from_bytes(bytes.substr(8, 16));
    message.pipeline = Guid::from_bytes(bytes.substr(24, 16));
    bytes.remove_prefix(message_header_size);
    message.data = without_byte_order_mark(bytes);
    return message;
}

}  // namespace volley::transports::winrm
