#include "transports/winrm/psrp/fragments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "transports/winrm/psrp/protocol_error.hpp"

namespace volley::transports::winrm {
namespace {

constexpr unsigned start_flag = 1;
constexpr unsigned end_flag = 2;

void put_big_endian(std::string& bytes, std::uint64_t number, unsigned size) {
    for (unsigned left = size; left > 0; --left)
        bytes += static_cast<char>(static_cast<std::uint8_t>(number >> (8 * (left - 1))));
}

std::uint64_t big_endian(std::string_view bytes) noexcept {
    std::uint64_t number = 0;
    for (const char byte : bytes) number = number << 8U | static_cast<std::uint8_t>(byte);
    return number;
}

}  // namespace

std::vector<std::string> Fragmenter::cut(std::string_view message, std::size_t most) {
    const std::size_t piece = most - fragment_header_size;
    const std::uint64_t object = next_object_++;
    std::vector<std::string> fragments;
    for (std::size_t at = 0; at < message.size(); at += piece) {
        const std::string_view blob = message.substr(at, piece);
        std::string& fragment = fragments.emplace_back();
        fragment.reserve(fragment_header_size + blob.size());
        put_big_endian(fragment, object, 8);
        put_big_endian(fragment, fragments.size() - 1, 8);
        const unsigned last = at + blob.size() == message.size() ? end_flag : 0U;
        fragment += static_cast<char>((at == 0 ? start_flag : 0U) | last);
        put_big_endian(fragment, blob.size(), 4);
        fragment += blob;
    }
    return fragments;
}

void Defragmenter::check_for_gap(std::uint64_t object, std::uint64_t number) {
    if (no_gap_ && (object != next_object_ || number != next_number_))
        throw ProtocolError("output was lost with the connection");
    no_gap_ = false;
}

std::vector<std::string> Defragmenter::take(std::string_view fragments) {
    std::vector<std::string> messages;
    while (!fragments.empty()) {
        if (fragments.size() < fragment_header_size)
            throw ProtocolError("a PowerShell remoting fragment ends within its header");
        const std::uint64_t object = big_endian(fragments.substr(0, 8));
        const std::uint64_t number = big_endian(fragments.substr(8, 8));
        const auto flags = static_cast<std::uint8_t>(fragments[16]);
        const auto length = static_cast<std::size_t>(big_endian(fragments.substr(17, 4)));
        fragments.remove_prefix(fragment_header_size);
        if (length > fragments.size())
            throw ProtocolError(fmt::format("a PowerShell remoting fragment of {} bytes has only {}", length,
                                            fragments.size()));
        check_for_gap(object, number);
        const bool ends = (flags & end_flag) != 0;
        next_object_ = ends ? object + 1 : object;
        next_number_ = ends ? 0 : number + 1;
        const bool starts = (flags & start_flag) != 0;
        if (starts != (number == 0))
            throw ProtocolError("a PowerShell remoting message does not begin with its first fragment");
        if (starts && open_.size() >= open_limit)
            throw ProtocolError(fmt::format(
                "more than {} PowerShell remoting messages were begun and not ended", open_limit));
        if (starts ? !open_.try_emplace(object).second : !open_.contains(object))
            throw ProtocolError("fragments of a PowerShell remoting message are out of order");
        Open& message = open_.at(object);
        if (message.next++ != number)
            throw ProtocolError("fragments of a PowerShell remoting message are out of order");
        if (held_ + length > message_limit)
            throw ProtocolError(fmt::format("a PowerShell remoting message is longer than {} MiB",
                                            message_limit / 1024 / 1024));
        message.bytes += fragments.substr(0, length);
        held_ += length;
        fragments.remove_prefix(length);
        if (!ends) continue;
        held_ -= message.bytes.size();
        messages.push_back(std::move(message.bytes));
        open_.erase(object);
    }
    return messages;
}

}  // namespace volley::transports::winrm
