#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "transports/shell/program.hpp"

namespace volley::transports {

/// Takes one stream of output apart: our own messages between the marker's tokens, and the bytes around them.
/// Holds back only what may be the beginning of a message.
class MessageFilter {
public:
    using Handler = std::function<void(std::string_view)>;

    MessageFilter(const Marker& marker, Handler on_bytes, Handler on_message)
        : begin_(marker.begin),
          end_(marker.end),
          on_bytes_(std::move(on_bytes)),
          on_message_(std::move(on_message)) {}

    void feed(std::string_view bytes);
    /// The stream has ended: what was held back was not a message.
    void finish();

private:
    void scan();
    std::string begin_;
    std::string end_;
    Handler on_bytes_;
    Handler on_message_;
    std::string held_;
};

}  // namespace volley::transports
