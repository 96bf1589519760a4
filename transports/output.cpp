#include "transports/output.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace volley::transports {

GrowingBytes::~GrowingBytes() { std::free(data_); }

void GrowingBytes::append(std::string_view bytes) {
    if (bytes.empty()) return;
    if (capacity_ - size_ < bytes.size()) {
        const std::size_t wanted = std::max({size_ + bytes.size(), capacity_ * 2, std::size_t{64}});
        void* const grown = std::realloc(data_, wanted);
        if (grown == nullptr) throw std::bad_alloc();
        data_ = static_cast<char*>(grown);
        capacity_ = wanted;
    }
    std::memcpy(data_ + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
}

void CapturedOutput::append(Stream stream, std::string_view bytes) {
    if (bytes.empty()) return;
    bytes_.append(bytes);
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
        if (run.stream == stream) out.append(bytes_.view().substr(at, run.length));
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
