#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/json/json.hpp"

namespace volley::journal {

/// CRC-32 as in zlib and gzip.
std::uint32_t checksum(std::string_view bytes) noexcept;

/// One frame as it stands in a segment: the version of the format, the checksum of what follows, and a JSON
/// object, on one line.
std::string frame_line(const Json& content);

struct Frames {
    std::vector<Json> frames;  ///< each an object with "frame", what it is
    std::size_t damaged = 0;   ///< whole lines that are none: changed, or of a later version
    bool torn = false;         ///< the last line has no end: the writer was killed, or the disk was full
};
/// The frames of a segment. Never throws for its content: what is damaged is left out and counted.
Frames read_frames(std::string_view text);

}  // namespace volley::journal
