#include "transports/output.hpp"

namespace volley::transports {

void CapturedOutput::append(Stream stream, std::string_view bytes) {
    if (bytes.empty()) return;
    bytes_ += bytes;
    if (!runs_.empty() && runs_.back().stream == stream) {
        runs_.back().length += bytes.size();
    } else {
        runs_.push_back(Run{stream, bytes.size()});
    }
}

std::string CapturedOutput::text(Stream stream) const {
    std::string out;
    out.reserve(size(stream));
    std::size_t at = 0;
    for (const Run& run : runs_) {
        if (run.stream == stream) out.append(bytes_, at, run.length);
        at += run.length;
    }
    return out;
}

std::size_t CapturedOutput::size(Stream stream) const noexcept {
    std::size_t total = 0;
    for (const Run& run : runs_) total += run.stream == stream ? run.length : 0;
    return total;
}

}  // namespace volley::transports
