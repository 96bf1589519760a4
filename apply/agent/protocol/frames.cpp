#include "apply/agent/protocol/frames.hpp"

#include <algorithm>

namespace volley::agent {
namespace {

constexpr std::size_t header_bytes = 5;
constexpr auto last_type = static_cast<std::uint8_t>(FrameType::ResourcesEnd);

std::size_t length_at(std::string_view bytes) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8U | static_cast<unsigned char>(bytes[i]);
    return length;
}

}  // namespace

std::string encode_frame(FrameType type, std::string_view payload) {
    if (payload.size() > most_payload)
        throw ProtocolError("A message of " + std::to_string(payload.size()) + " bytes is larger than " +
                            std::to_string(most_payload));
    std::string bytes(1, static_cast<char>(type));
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>((payload.size() >> shift) & 0xffU);
    bytes += payload;
    return bytes;
}

std::string encode_parts(FrameType part, FrameType end, std::string_view text, std::string_view end_payload) {
    std::string bytes;
    bytes.reserve(text.size() + (text.size() / most_payload + 2) * header_bytes + end_payload.size());
    while (!text.empty()) {
        bytes += encode_frame(part, text.substr(0, most_payload));
        text.remove_prefix(std::min(text.size(), most_payload));
    }
    return bytes + encode_frame(end, end_payload);
}

void FrameReader::feed(std::string_view bytes) {
    if (start_ > 0 && start_ == buffer_.size()) {
        buffer_.clear();
        start_ = 0;
    }
    if (start_ > most_payload) {
        buffer_.erase(0, start_);
        start_ = 0;
    }
    buffer_ += bytes;
}

void FrameReader::skip_banner() {
    std::size_t at = 0;
    for (;;) {
        at = buffer_.find(protocol_line, at);
        if (at == std::string::npos || at == 0 || buffer_[at - 1] == '\n') break;
        ++at;
    }
    if (at == std::string::npos) {
        banner_ = buffer_.substr(0, most_banner);
        if (buffer_.size() > most_banner)
            throw ProtocolError("The target printed more than " + std::to_string(most_banner) +
                                " bytes before the agent's first line");
        return;
    }
    if (at > most_banner)
        throw ProtocolError("The target printed more than " + std::to_string(most_banner) +
                            " bytes before the agent's first line");
    banner_ = buffer_.substr(0, at);
    start_ = at + protocol_line.size();
    skipping_ = false;
}

std::optional<Frame> FrameReader::next() {
    if (skipping_) skip_banner();
    if (skipping_ || buffer_.size() - start_ < header_bytes) return std::nullopt;
    const std::string_view bytes = std::string_view(buffer_).substr(start_);
    const auto type = static_cast<std::uint8_t>(bytes[0]);
    if (type == 0 || type > last_type)
        throw ProtocolError("There is no message of type " + std::to_string(type));
    const std::size_t length = length_at(bytes.substr(1));
    if (length > most_payload)
        throw ProtocolError("A message of " + std::to_string(length) + " bytes is larger than " +
                            std::to_string(most_payload));
    if (bytes.size() < header_bytes + length) return std::nullopt;
    Frame frame{static_cast<FrameType>(type), std::string(bytes.substr(header_bytes, length))};
    start_ += header_bytes + length;
    return frame;
}

}  // namespace volley::agent
