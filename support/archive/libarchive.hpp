#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <memory>

namespace volley {

// The functions of libarchive that are called. They are looked up in the library when the first archive is
// read or written: linked, it and the nine libraries that it brings would cost every start of the program
// 1.25 ms.
#define VOLLEY_LIBARCHIVE(FUNCTION)             \
    FUNCTION(archive_entry_filetype)            \
    FUNCTION(archive_entry_free)                \
    FUNCTION(archive_entry_hardlink)            \
    FUNCTION(archive_entry_new)                 \
    FUNCTION(archive_entry_pathname)            \
    FUNCTION(archive_entry_perm)                \
    FUNCTION(archive_entry_set_filetype)        \
    FUNCTION(archive_entry_set_pathname)        \
    FUNCTION(archive_entry_set_perm)            \
    FUNCTION(archive_entry_set_size)            \
    FUNCTION(archive_entry_symlink)             \
    FUNCTION(archive_error_string)              \
    FUNCTION(archive_free)                      \
    FUNCTION(archive_read_data)                 \
    FUNCTION(archive_read_data_into_fd)         \
    FUNCTION(archive_read_new)                  \
    FUNCTION(archive_read_next_header)          \
    FUNCTION(archive_read_open)                 \
    FUNCTION(archive_read_open_fd)              \
    FUNCTION(archive_read_support_filter_gzip)  \
    FUNCTION(archive_read_support_format_cpio)  \
    FUNCTION(archive_read_support_format_empty) \
    FUNCTION(archive_read_support_format_raw)   \
    FUNCTION(archive_read_support_format_tar)   \
    FUNCTION(archive_set_error)                 \
    FUNCTION(archive_write_add_filter_gzip)     \
    FUNCTION(archive_write_close)               \
    FUNCTION(archive_write_data)                \
    FUNCTION(archive_write_header)              \
    FUNCTION(archive_write_new)                 \
    FUNCTION(archive_write_open)                \
    FUNCTION(archive_write_set_bytes_per_block) \
    FUNCTION(archive_write_set_format_gnutar)   \
    FUNCTION(archive_write_set_format_raw)

/// libarchive as a table of its functions, each named as in archive.h.
struct Libarchive {
// A name in parentheses would not be a member.  NOLINTNEXTLINE(bugprone-macro-parentheses)
#define VOLLEY_MEMBER(name) decltype(&::name) name = nullptr;
    VOLLEY_LIBARCHIVE(VOLLEY_MEMBER)
#undef VOLLEY_MEMBER
};

/// The library, loaded once. Throws Error bolt/archive-error when it is not there. Any thread.
const Libarchive& libarchive();

struct FreeArchive {
    void operator()(archive* a) const noexcept { libarchive().archive_free(a); }
    void operator()(archive_entry* entry) const noexcept { libarchive().archive_entry_free(entry); }
};
/// One that is being read or written.
using ArchivePointer = std::unique_ptr<archive, FreeArchive>;
using ArchiveEntryPointer = std::unique_ptr<archive_entry, FreeArchive>;

}  // namespace volley
