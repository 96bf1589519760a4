#include "transports/shell/message_filter.hpp"

#include <string.h>

#include <algorithm>

namespace volley::transports {

namespace {

// A message is a line or two; a beginning without an end in this much is somebody's data.
constexpr std::size_t longest_message = 1 << 20;

// memmem and not find(), which is slow on output full of a token's first character.
std::size_t find_token(std::string_view text, std::string_view token, std::size_t from = 0) {
    const void* const at = ::memmem(text.data() + from, text.size() - from, token.data(), token.size());
    if (at == nullptr) return std::string_view::npos;
    return static_cast<std::size_t>(static_cast<const char*>(at) - text.data());
}

// How many bytes at the end of `text` may be the beginning of `token`.
std::size_t partial_token(std::string_view text, std::string_view token) {
    for (std::size_t n = std::min(text.size(), token.size() - 1); n > 0; --n)
        if (text.ends_with(token.substr(0, n))) return n;
    return 0;
}

}  // namespace

void MessageFilter::feed(std::string_view bytes) {
    // The common case copies nothing: no token, nothing held.
    if (held_.empty() && find_token(bytes, begin_) == std::string_view::npos) {
        const std::size_t kept = partial_token(bytes, begin_);
        if (bytes.size() > kept) on_bytes_(bytes.substr(0, bytes.size() - kept));
        held_ = bytes.substr(bytes.size() - kept);
        return;
    }
    held_ += bytes;
    scan();
}

void MessageFilter::scan() {
    for (;;) {
        const std::size_t at = find_token(held_, begin_);
        if (at == std::string::npos) {
            const std::size_t kept = partial_token(held_, begin_);
            const std::string rest = held_.substr(held_.size() - kept);
            held_.resize(held_.size() - kept);
            if (!held_.empty()) on_bytes_(held_);
            held_ = rest;
            return;
        }
        const std::size_t close = find_token(held_, end_, at + begin_.size());
        if (close == std::string::npos) {
            if (held_.size() - at > longest_message) finish();
            return;
        }
        const std::string before = held_.substr(0, at);
        const std::string message = held_.substr(at + begin_.size(), close - at - begin_.size());
        held_.erase(0, close + end_.size());
        if (!before.empty()) on_bytes_(before);
        on_message_(message);
    }
}

void MessageFilter::finish() {
    if (!held_.empty()) on_bytes_(held_);
    held_.clear();
}

}  // namespace volley::transports
