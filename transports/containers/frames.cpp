#include "transports/containers/frames.hpp"

#include <algorithm>

namespace volley::transports::containers {

void FrameReader::feed(std::string_view bytes) {
    constexpr char error_stream = 2;
    if (tty_) {
        if (!bytes.empty()) sink_.on_output(Stream::Out, bytes);
        return;
    }
    while (!bytes.empty()) {
        if (rest_ == 0) {
            const std::size_t n = std::min(bytes.size(), head_.size() - head_size_);
            std::copy_n(bytes.data(), n, head_.data() + head_size_);
            head_size_ += n;
            bytes.remove_prefix(n);
            if (head_size_ < head_.size()) return;
            head_size_ = 0;
            for (std::size_t i = 4; i < 8; ++i) rest_ = rest_ << 8 | static_cast<unsigned char>(head_[i]);
        }
        const std::string_view piece = bytes.substr(0, rest_);
        if (!piece.empty()) sink_.on_output(head_[0] == error_stream ? Stream::Err : Stream::Out, piece);
        rest_ -= static_cast<std::uint32_t>(piece.size());
        bytes.remove_prefix(piece.size());
    }
}

}  // namespace volley::transports::containers
