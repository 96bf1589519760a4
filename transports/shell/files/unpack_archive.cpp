#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>

#include <vector>

#include "support/archive/libarchive.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "transports/errors.hpp"
#include "transports/shell/files/receiver.hpp"

namespace volley::transports {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void unpack_fail(std::string_view name, std::string_view reason) {
    throw file_error(
        fmt::format("the archive from the target was rejected at '{}': {}", scrub_utf8(name), reason),
        "DOWNLOAD_ERROR");
}

ArchivePointer open_archive(int fd) {
    const Libarchive& library = libarchive();
    ArchivePointer reader(library.archive_read_new());
    library.archive_read_support_filter_gzip(reader.get());  // from PowerShell
    library.archive_read_support_format_tar(reader.get());
    library.archive_read_support_format_cpio(reader.get());  // from targets without tar
    constexpr std::size_t block = 64 * 1024;
    if (library.archive_read_open_fd(reader.get(), fd, block) != ARCHIVE_OK)
        unpack_fail("", library.archive_error_string(reader.get()));
    return reader;
}

// Nothing in the tree is ever a link, so a path without ".." stays below the root.
fs::path place_of(const fs::path& root, const char* name) {
    if (name == nullptr) unpack_fail("", "an entry has no name");
    try {
        return join_inside(root, name);
    } catch (const Error&) {
        unpack_fail(name, "it is outside of the directory");
    }
}

void write_file(archive* reader, const fs::path& path, mode_t mode) {
    ::unlink(path.c_str());  // an archive may hold a file twice; the later one counts
    const UniqueFd file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)};
    if (!file) unpack_fail(path.string(), ::strerror(errno));
    const Libarchive& library = libarchive();
    if (library.archive_read_data_into_fd(reader, file.get()) < ARCHIVE_WARN)
        unpack_fail(path.string(), library.archive_error_string(reader));
    ::fchmod(file.get(), mode);
}

struct LaterMode {
    fs::path path;
    mode_t mode;
};

void unpack_entry(archive* reader, archive_entry* entry, const fs::path& root,
                  std::vector<LaterMode>& directories) {
    const Libarchive& library = libarchive();
    const fs::path path = place_of(root, library.archive_entry_pathname(entry));
    const mode_t mode = library.archive_entry_perm(entry) & 0777;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (const char* link = library.archive_entry_hardlink(entry)) {
        fs::create_hard_link(place_of(root, link), path, error);
        if (error) unpack_fail(path.string(), error.message());
        return;
    }
    switch (library.archive_entry_filetype(entry)) {
        case AE_IFDIR:
            fs::create_directories(path, error);
            if (error) unpack_fail(path.string(), error.message());
            directories.push_back(LaterMode{path, mode});  // it may be read-only: after its content
            break;
        case AE_IFREG:
            write_file(reader, path, mode);
            break;
        default:
            unpack_fail(library.archive_entry_pathname(entry), "it is neither a file nor a directory");
    }
}

}  // namespace

void unpack_tar(int fd, const fs::path& root) {
    const Libarchive& library = libarchive();
    const ArchivePointer reader = open_archive(fd);
    std::vector<LaterMode> directories;
    archive_entry* entry = nullptr;
    for (;;) {
        const int status = library.archive_read_next_header(reader.get(), &entry);
        if (status == ARCHIVE_EOF) break;
        if (status < ARCHIVE_WARN) unpack_fail("", library.archive_error_string(reader.get()));
        unpack_entry(reader.get(), entry, root, directories);
    }
    for (auto directory = directories.rbegin(); directory != directories.rend(); ++directory)
        ::chmod(directory->path.c_str(), directory->mode);
}

}  // namespace volley::transports
