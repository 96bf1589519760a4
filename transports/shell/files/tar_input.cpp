#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "transports/errors.hpp"
#include "transports/shell/files/payload.hpp"

namespace volley::transports {

namespace {

struct FreeWrittenArchive {
    void operator()(archive* a) const noexcept { ::archive_write_free(a); }
};
struct FreeEntry {
    void operator()(archive_entry* e) const noexcept { ::archive_entry_free(e); }
};

// libarchive pushes what it writes; a connection pulls. Between them is at most one chunk.
class TarInput final : public Input {
public:
    explicit TarInput(std::vector<PayloadEntry> entries)
        : entries_(std::move(entries)), archive_(::archive_write_new()) {
        check(::archive_write_set_format_gnutar(archive_.get()));
        check(::archive_write_set_bytes_per_block(archive_.get(), 0));
        check(::archive_write_open(archive_.get(), this, nullptr, &TarInput::keep, nullptr));
    }

    std::size_t read(std::span<char> buffer) override {
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

    bool finished() const noexcept override { return closed_ && at_ == pending_.size(); }

private:
    static la_ssize_t keep(archive*, void* self, const void* bytes, std::size_t length) {
        static_cast<TarInput*>(self)->pending_.append(static_cast<const char*>(bytes), length);
        return static_cast<la_ssize_t>(length);
    }

    void advance() {
        if (!content_.finished()) {
            const std::size_t n = content_.read(chunk_);
            if (::archive_write_data(archive_.get(), chunk_.data(), n) < 0) check(ARCHIVE_FATAL);
        } else if (next_ < entries_.size()) {
            begin(entries_[next_++]);
        } else {
            check(::archive_write_close(archive_.get()));
            closed_ = true;
        }
    }

    void begin(const PayloadEntry& from) {
        const std::unique_ptr<archive_entry, FreeEntry> entry(::archive_entry_new());
        ::archive_entry_set_pathname(entry.get(), from.remote.c_str());
        ::archive_entry_set_filetype(entry.get(), from.is_directory ? AE_IFDIR : AE_IFREG);
        ::archive_entry_set_perm(entry.get(), static_cast<mode_t>(from.mode));
        ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(from.size));
        check(::archive_write_header(archive_.get(), entry.get()));
        content_ = SequenceInput();
        content_.add(from);
    }

    void check(int status) {
        if (status >= ARCHIVE_WARN) return;
        throw file_error(fmt::format("Could not pack files: {}", ::archive_error_string(archive_.get())),
                         "WRITE_ERROR");
    }

    std::vector<PayloadEntry> entries_;
    std::array<char, 64 * 1024> chunk_;
    std::string pending_;
    std::size_t at_ = 0;
    std::size_t next_ = 0;
    SequenceInput content_;
    bool closed_ = false;
    std::unique_ptr<archive, FreeWrittenArchive>
        archive_;  // last: freeing one that is not closed still writes here
};

}  // namespace

std::unique_ptr<Input> make_tar_input(std::vector<PayloadEntry> entries) {
    return std::make_unique<TarInput>(std::move(entries));
}

}  // namespace volley::transports
