#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "transports/connection.hpp"

namespace volley::transports::containers {

/// Takes the two streams of a command apart: without a terminal each piece has eight bytes before it, the
/// stream's number, three zeros and the length, the highest byte first. With one there is a single stream.
class FrameReader {
public:
    FrameReader(bool tty, OutputSink& sink) : tty_(tty), sink_(sink) {}
    void feed(std::string_view bytes);

private:
    bool tty_;
    OutputSink& sink_;
    std::array<char, 8> head_{};
    std::size_t head_size_ = 0;
    std::uint32_t rest_ = 0;  ///< of the piece whose head is complete
};

}  // namespace volley::transports::containers
