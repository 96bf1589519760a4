#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "transports/output.hpp"

namespace volley::cli {

/// Puts the pieces that arrive from many targets back together, so that lines of different targets never mix
/// (OUT-050). A line without an end is passed on when it grows long or its target is done.
class StreamLines {
public:
    using Emit = std::function<void(transports::Stream stream, std::string_view line)>;

    void add(std::string_view target, transports::Stream stream, std::string_view bytes, const Emit& emit);
    /// What is left of the target's last lines.
    void finish(std::string_view target, const Emit& emit);

private:
    static constexpr std::size_t longest_kept = 64 * 1024;
    std::map<std::pair<std::string, transports::Stream>, std::string, std::less<>> rest_;
};

}  // namespace volley::cli
