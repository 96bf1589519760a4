#include "transports/output.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace volley::transports {

void GrowingBytes::append(std::string_view bytes) {
    if (bytes.empty()) return;
    if (bytes.size() > capacity_ - size_) {
        const std::size_t wanted = std::max(size_ + bytes.size(), 2 * capacity_);
        auto* grown = static_cast<char*>(std::realloc(data_.get(), wanted));
        if (grown == nullptr) throw std::bad_alloc();
        static_cast<void>(data_.release());  // realloc has taken the old block
        data_.reset(grown);
        capacity_ = wanted;
    }
    std::memcpy(data_.get() + size_, bytes.data(), bytes.size());
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
    visit(stream, [&out](std::string_view piece) { out += piece; });
    return out;
}

void CapturedOutput::visit(Stream stream, const std::function<void(std::string_view)>& piece) const {
    std::size_t at = 0;
    for (const Run& run : runs_) {
        if (run.stream == stream) piece(merged().substr(at, run.length));
        at += run.length;
    }
}

void CapturedOutput::visit(const std::function<void(Stream, std::string_view)>& piece) const {
    std::size_t at = 0;
    for (const Run& run : runs_) {
        piece(run.stream, merged().substr(at, run.length));
        at += run.length;
    }
}

std::size_t CapturedOutput::size(Stream stream) const noexcept {
    std::size_t total = 0;
    for (const Run& run : runs_) total += run.stream == stream ? run.length : 0;
    return total;
}

}  // namespace volley::transports
