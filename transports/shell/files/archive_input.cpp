#include "transports/shell/files/archive_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "transports/errors.hpp"

namespace volley::transports {

ArchiveInput::ArchiveInput() : archive_(library_.archive_write_new()) {
    if (!archive_) throw std::bad_alloc();
}

void ArchiveInput::open() {
    check(library_.archive_write_set_bytes_per_block(archive_.get(), 0));
    check(library_.archive_write_open(archive_.get(), this, nullptr, &ArchiveInput::keep, nullptr));
}

std::size_t ArchiveInput::read(std::span<char> buffer) {
    while (at_ == pending_.size() && !closed_) {
        pending_.clear();
        at_ = 0;
        advance();
    }
    const std::size_t n = std::min(buffer.size(), pending_.size() - at_);
    std::memcpy(buffer.data(), pending_.data() + at_, n);
    at_ += n;
    return n;
}

void ArchiveInput::check(int status) const {
    if (status >= ARCHIVE_WARN) return;
    throw file_error(fmt::format("Could not pack files: {}", library_.archive_error_string(archive_.get())),
                     "WRITE_ERROR");
}

bool ArchiveInput::copy_from(Input& source) {
    const std::size_t n = source.finished() ? 0 : source.read(chunk_);
    if (n > 0 && library_.archive_write_data(archive_.get(), chunk_.data(), n) < 0) check(ARCHIVE_FATAL);
    return n > 0;
}

void ArchiveInput::close() {
    check(library_.archive_write_close(archive_.get()));
    closed_ = true;
}

la_ssize_t ArchiveInput::keep(archive*, void* self, const void* bytes, std::size_t length) {
    auto& input = *static_cast<ArchiveInput*>(self);
    const std::string_view written(static_cast<const char*>(bytes), length);
    input.pending_ += written;
    input.on_written(written);
    return static_cast<la_ssize_t>(length);
}

}  // namespace volley::transports
