#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "support/archive/libarchive.hpp"
#include "transports/connection.hpp"

namespace volley::transports {

/// What libarchive writes, as an Input: it pushes, a connection pulls. Between them is at most a chunk.
class ArchiveInput : public Input {
public:
    std::size_t read(std::span<char> buffer) final;
    bool finished() const noexcept final { return closed_ && at_ == pending_.size(); }

protected:
    ArchiveInput();
    /// Once the format is set. Throws as check().
    void open();
    const Libarchive& library() const noexcept { return library_; }
    archive* writer() const noexcept { return archive_.get(); }
    /// Throws file_error WRITE_ERROR for a status of libarchive that is one.
    void check(int status) const;
    /// What `source` has just now becomes content of the present entry; false when that is nothing.
    bool copy_from(Input& source);
    /// The archive is complete.
    void close();
    /// Comes after the archive.
    void append(std::string_view trailer) { pending_ += trailer; }

    /// Writes something, or closes.
    virtual void advance() = 0;
    /// Sees what the archive consists of.
    virtual void on_written(std::string_view) {}

private:
    static la_ssize_t keep(archive*, void* self, const void* bytes, std::size_t length);

    const Libarchive& library_ = libarchive();
    std::array<char, 64 * 1024> chunk_;
    std::string pending_;
    std::size_t at_ = 0;
    bool closed_ = false;
    ArchivePointer archive_;  // last: freeing one that is not closed still writes here
};

}  // namespace volley::transports
