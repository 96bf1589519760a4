#include "transports/winrm/security/ntlm_messages.hpp"

#include "transports/winrm/security/security_context.hpp"

namespace volley::transports::winrm::ntlm {
namespace {

constexpr std::string_view signature("NTLMSSP\0", 8);
// 10.0.17763, revision 15: what a Windows client of today says.
constexpr std::string_view client_version("\x0A\x00\x63\x45\x00\x00\x00\x0F", 8);
constexpr std::size_t integrity_code_at = 72;
constexpr std::size_t authenticate_header = 88;

enum class Pair : std::uint16_t { End = 0, Flags = 6, Timestamp = 7, TargetName = 9, ChannelBindings = 10 };
constexpr std::uint32_t integrity_code_present = 2;

void put16(std::string& bytes, std::size_t number) {
    bytes += static_cast<char>(static_cast<std::uint8_t>(number));
    bytes += static_cast<char>(static_cast<std::uint8_t>(number >> 8U));
}

void put32(std::string& bytes, std::size_t number) {
    put16(bytes, number);
    put16(bytes, number >> 16U);
}

std::uint32_t read_number(std::string_view bytes, std::size_t at, unsigned size) noexcept {
    std::uint32_t number = 0;
    for (unsigned byte = 0; byte < size; ++byte)
        number |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[at + byte])) << (8 * byte);
    return number;
}

void put_pair(std::string& pairs, Pair kind, std::string_view value) {
    put16(pairs, static_cast<std::size_t>(kind));
    put16(pairs, value.size());
    pairs += value;
}

/// The pairs up to their end, with the time among them.
void read_pairs(std::string_view all, Challenge& challenge) {
    std::size_t at = 0;
    while (true) {
        if (all.size() - at < 4)
            throw SecurityError("the target information of an NTLM challenge has no end");
        const auto kind = static_cast<Pair>(read_number(all, at, 2));
        const std::size_t length = read_number(all, at + 2, 2);
        if (kind == Pair::End) break;
        if (all.size() - at - 4 < length)
            throw SecurityError("the target information of an NTLM challenge ends too early");
        if (kind == Pair::Timestamp && length == 8) challenge.timestamp = all.substr(at + 4, length);
        at += 4 + length;
    }
    challenge.pairs = all.substr(0, at);
}

}  // namespace

std::string negotiate_message() {
    std::string message(signature);
    put32(message, 1);
    put32(message, wanted_flags);
    message += std::string(16, '\0');  // no domain, no workstation
    message += client_version;
    return message;
}

Challenge parse_challenge(std::string_view message) {
    constexpr std::size_t smallest = 48;
    if (message.size() < smallest || !message.starts_with(signature) || read_number(message, 8, 4) != 2)
        throw SecurityError("the server did not answer with an NTLM challenge");
    Challenge challenge;
    challenge.flags = read_number(message, 20, 4);
    challenge.server_challenge = message.substr(24, 8);
    constexpr std::uint32_t needed =
        0x00000001 | 0x00000010 | 0x00000020 | 0x00080000 | 0x20000000 | 0x40000000;
    if ((challenge.flags & needed) != needed)
        throw SecurityError("the server's NTLM has no signing and sealing with 128 bits");
    const std::size_t length = read_number(message, 40, 2);
    const std::size_t offset = read_number(message, 44, 4);
    if (offset > message.size() || length > message.size() - offset)
        throw SecurityError("the target information of an NTLM challenge is outside of it");
    if (length > 0) read_pairs(message.substr(offset, length), challenge);
    return challenge;
}

std::string target_info(const Challenge& challenge, std::string_view binding, std::string_view service) {
    std::string pairs = challenge.pairs;
    if (!challenge.timestamp.empty()) {
        std::string flags;
        put32(flags, integrity_code_present);
        put_pair(pairs, Pair::Flags, flags);
    }
    if (!binding.empty()) put_pair(pairs, Pair::ChannelBindings, binding);
    put_pair(pairs, Pair::TargetName, service);
    put_pair(pairs, Pair::End, {});
    return pairs;
}

std::string authenticate_message(const Authenticate& content) {
    std::string message(signature);
    std::string payload;
    put32(message, 3);
    const auto field = [&](std::string_view value) {
        put16(message, value.size());
        put16(message, value.size());
        put32(message, authenticate_header + payload.size());
        payload += value;
    };
    field(content.lm_response);
    field(content.nt_response);
    field(content.domain);
    field(content.user);
    field({});  // workstation
    field(content.session_key);
    put32(message, content.flags);
    message += client_version;
    message += std::string(16, '\0');
    return message + payload;
}

void set_integrity_code(std::string& message, std::string_view code) {
    message.replace(integrity_code_at, code.size(), code);
}

}  // namespace volley::transports::winrm::ntlm
