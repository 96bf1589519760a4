#include <fmt/format.h>

#include "transports/winrm/psrp/psrp.hpp"
#include "transports/winrm/psrp/record_text.hpp"

namespace volley::transports::winrm {
namespace {

// RunspacePoolState (MS-PSRP 2.2.3.4).
constexpr std::int64_t pool_opened = 2;
constexpr std::int64_t pool_closed = 3;
constexpr std::int64_t pool_closing = 4;
constexpr std::int64_t pool_broken = 5;

// The two messages that open a pool have 4 KB together.
constexpr std::size_t most_for_opening = 32 * 1024;

}  // namespace

std::vector<std::string> RunspacePool::encode(MessageType type, const Guid& pipeline, std::string data,
                                              std::size_t most) {
    return fragmenter_.cut(encode_message(Message{type, id_, pipeline, std::move(data)}), most);
}

std::string RunspacePool::open() {
    // The same for every target.
    static const std::string capability = session_capability_data();
    static const std::string settings = init_runspace_pool_data();
    std::string all;
    for (const std::string& part :
         encode(MessageType::SessionCapability, Guid(), capability, most_for_opening))
        all += part;
    for (const std::string& part : encode(MessageType::InitRunspacePool, Guid(), settings, most_for_opening))
        all += part;
    return all;
}

void RunspacePool::receive(std::string_view fragments) {
    for (const std::string& bytes : defragmenter_.take(fragments)) {
        const Message message = decode_message(bytes);
        if (message.pipeline == Guid()) {
            on_message(message);
            continue;
        }
        const auto found = pipelines_.find(message.pipeline.text());
        if (found != pipelines_.end()) found->second->on_message(message);
    }
}

void RunspacePool::on_message(const Message& message) {
    if (message.type == MessageType::RunspacePoolState) {
        on_state(ClixmlDocument::parse(message.data).root());
    } else if (message.type == MessageType::ApplicationPrivateData) {
        on_private_data(ClixmlDocument::parse(message.data).root());
    }
}

void RunspacePool::on_state(const ClixmlValue& value) {
    const ClixmlValue* state = value.member("RunspaceState");
    const auto number = state != nullptr ? state->integer() : std::nullopt;
    if (!number) throw ProtocolError("invalid state message of a runspace pool");
    if (*number == pool_opened) state_ = PoolState::Opened;
    if (*number == pool_closed || *number == pool_closing) state_ = PoolState::Closed;
    if (*number == pool_broken) state_ = PoolState::Broken;
    const ClixmlValue* error = value.member("ExceptionAsErrorRecord");
    if (error != nullptr) reason_ = error_message(*error);
}

void RunspacePool::on_private_data(const ClixmlValue& value) {
    const ClixmlValue* data = value.member("ApplicationPrivateData");
    const ClixmlValue* table = data != nullptr ? data->entry("PSVersionTable") : nullptr;
    const ClixmlValue* version = table != nullptr ? table->entry("PSVersion") : nullptr;
    if (version != nullptr) version_ = object_text(*version);
}

}  // namespace volley::transports::winrm
