#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "transports/connection.hpp"

namespace volley::planner {

/// What a short command prints on either stream; at most 64 KiB of it.
class CapturedText final : public transports::OutputSink {
public:
    void on_output(transports::Stream, std::string_view bytes) override {
        constexpr std::size_t most = std::size_t{64} << 10U;
        text += bytes.substr(0, most - std::min(most, text.size()));
    }
    std::string text;
};

}  // namespace volley::planner
