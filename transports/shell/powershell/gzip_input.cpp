#include "transports/shell/powershell/gzip_input.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "transports/errors.hpp"

namespace volley::transports {
namespace {

struct FreeArchive {
    void operator()(archive* a) const noexcept { ::archive_write_free(a); }
};
struct FreeEntry {
    void operator()(archive_entry* e) const noexcept { ::archive_entry_free(e); }
};
struct FreeDigest {
    void operator()(EVP_MD_CTX* context) const noexcept { ::EVP_MD_CTX_free(context); }
};

// libarchive pushes what it has compressed; a connection pulls. Between them is at most a chunk.
class GzipInput final : public Input {
public:
    explicit GzipInput(std::unique_ptr<Input> source)
        : source_(std::move(source)), digest_(::EVP_MD_CTX_new()), archive_(::archive_write_new()) {
        if (!digest_ || !archive_ || ::EVP_DigestInit_ex(digest_.get(), ::EVP_sha256(), nullptr) != 1)
            throw std::bad_alloc();
        check(::archive_write_set_format_raw(archive_.get()));
        check(::archive_write_add_filter_gzip(archive_.get()));
        check(::archive_write_set_bytes_per_block(archive_.get(), 0));
        check(::archive_write_open(archive_.get(), this, nullptr, &GzipInput::keep, nullptr));
        const std::unique_ptr<archive_entry, FreeEntry> entry(::archive_entry_new());
        ::archive_entry_set_pathname(entry.get(), "data");
        ::archive_entry_set_filetype(entry.get(), AE_IFREG);
        check(::archive_write_header(archive_.get(), entry.get()));
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
        auto& input = *static_cast<GzipInput*>(self);
        input.pending_.append(static_cast<const char*>(bytes), length);
        ::EVP_DigestUpdate(input.digest_.get(), bytes, length);
        return static_cast<la_ssize_t>(length);
    }

    void advance() {
        const std::size_t n = source_->finished() ? 0 : source_->read(chunk_);
        if (n > 0) {
            if (::archive_write_data(archive_.get(), chunk_.data(), n) < 0) check(ARCHIVE_FATAL);
        } else if (source_->finished()) {
            check(::archive_write_close(archive_.get()));
            std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
            unsigned size = 0;
            ::EVP_DigestFinal_ex(digest_.get(), found.data(), &size);
            pending_.append(reinterpret_cast<const char*>(found.data()), size);
            closed_ = true;
        }
    }

    void check(int status) {
        if (status >= ARCHIVE_WARN) return;
        throw file_error(fmt::format("Could not pack files: {}", ::archive_error_string(archive_.get())),
                         "WRITE_ERROR");
    }

    std::unique_ptr<Input> source_;
    std::array<char, 64 * 1024> chunk_;
    std::string pending_;
    std::size_t at_ = 0;
    bool closed_ = false;
    std::unique_ptr<EVP_MD_CTX, FreeDigest> digest_;
    std::unique_ptr<archive, FreeArchive> archive_;  // last: freeing one that is not closed still writes
};

}  // namespace

std::unique_ptr<Input> make_gzip_input(std::unique_ptr<Input> source) {
    return std::make_unique<GzipInput>(std::move(source));
}

std::string read_all(Input& input) {
    std::string all;
    std::array<char, 64 * 1024> chunk{};
    while (!input.finished()) all.append(chunk.data(), input.read(chunk));
    return all;
}

}  // namespace volley::transports
