// What comes over the channel of the agent, any bytes in pieces of any size: frames or an error, never more
// than was fed.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "apply/agent/protocol/frames.hpp"

using namespace volley::agent;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t step = (data[0] >> 1U) + 1;
    FrameReader reader((data[0] & 1U) != 0);
    std::size_t received = 0;
    try {
        while (!bytes.empty()) {
            reader.feed(bytes.substr(0, step));
            bytes.remove_prefix(std::min(step, bytes.size()));
            while (const auto frame = reader.next()) {
                received += frame->payload.size();
                FrameReader again(false);
                again.feed(encode_frame(frame->type, frame->payload));
                const auto same = again.next();
                if (!same || same->payload != frame->payload || same->type != frame->type) std::abort();
            }
        }
    } catch (const ProtocolError& error) {
        if (*error.what() == '\0') std::abort();
    }
    if (received > size) std::abort();
    return 0;
}
