#include "transports/shell/powershell/received_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <string.h>
#include <sys/stat.h>

#include <array>

#include "support/archive/libarchive.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"
#include "transports/errors.hpp"
#include "transports/shell/files/receiver.hpp"

namespace volley::transports {

namespace fs = std::filesystem;

namespace {

constexpr off_t digest_size = 32;

[[noreturn]] void fail(std::string_view reason) { throw file_error(reason, "DOWNLOAD_ERROR"); }

struct FreeDigest {
    void operator()(EVP_MD_CTX* context) const noexcept { ::EVP_MD_CTX_free(context); }
};

// Compares the digest at the end with that of all before, and cuts it off.
void check_digest(int fd) {
    const off_t size = ::lseek(fd, 0, SEEK_END) - digest_size;
    if (size < 1) fail("the transfer is incomplete");
    ::lseek(fd, 0, SEEK_SET);
    const std::unique_ptr<EVP_MD_CTX, FreeDigest> context(::EVP_MD_CTX_new());
    if (!context || ::EVP_DigestInit_ex(context.get(), ::EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
    std::array<char, 64 * 1024> chunk;
    for (off_t left = size; left > 0;) {
        const auto wanted = static_cast<std::size_t>(std::min<off_t>(left, chunk.size()));
        const ssize_t n = ::read(fd, chunk.data(), wanted);
        if (n <= 0) fail(::strerror(errno));
        ::EVP_DigestUpdate(context.get(), chunk.data(), static_cast<std::size_t>(n));
        left -= n;
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
    unsigned length = 0;
    ::EVP_DigestFinal_ex(context.get(), found.data(), &length);
    std::array<unsigned char, digest_size> sent{};
    if (::read(fd, sent.data(), sent.size()) != digest_size || length != sent.size() ||
        ::memcmp(found.data(), sent.data(), sent.size()) != 0)
        fail("SHA-256 mismatch");
    if (::ftruncate(fd, size) != 0) fail(::strerror(errno));
}

void unpack_one(int packed, const fs::path& place) {
    const UniqueFd file(::open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!file) fail(fmt::format("'{}' on the controller: {}", place.string(), ::strerror(errno)));
    const Libarchive& library = libarchive();
    const ArchivePointer reader(library.archive_read_new());
    library.archive_read_support_filter_gzip(reader.get());
    library.archive_read_support_format_raw(reader.get());
    library.archive_read_support_format_empty(reader.get());
    constexpr std::size_t block = 64 * 1024;
    archive_entry* entry = nullptr;
    if (library.archive_read_open_fd(reader.get(), packed, block) != ARCHIVE_OK)
        fail(library.archive_error_string(reader.get()));
    const int status = library.archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) return;  // an empty file
    if (status < ARCHIVE_WARN || library.archive_read_data_into_fd(reader.get(), file.get()) < ARCHIVE_WARN)
        fail(library.archive_error_string(reader.get()));
}

}  // namespace

struct ReceivedFile::Spool {
    Spool(fs::path into, std::string own_name) : directory(std::move(into)), name(std::move(own_name)) {}

    void open() {
        folder.emplace(directory);
        const fs::path place = folder->path() / ".packed";
        file.reset(::open(place.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!file) fail(fmt::format("'{}' on the controller: {}", place.string(), ::strerror(errno)));
        ::unlink(place.c_str());
    }

    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::write(file.get(), bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) fail(fmt::format("'{}' on the controller: {}", directory.string(), ::strerror(errno)));
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
    }

    fs::path complete() {
        if (!file) fail("nothing arrived");
        check_digest(file.get());
        char kind = 0;
        ::lseek(file.get(), 0, SEEK_SET);
        if (::read(file.get(), &kind, 1) != 1) fail("nothing arrived");
        const fs::path place = folder->path() / name;
        if (kind == 'D') {
            fs::create_directory(place);
            unpack_tar(file.get(), place);
        } else {
            unpack_one(file.get(), place);
        }
        return folder->keep(name);
    }

    fs::path directory;
    std::string name;
    std::optional<DownloadFolder> folder;
    UniqueFd file;
};

ReceivedFile::ReceivedFile(fs::path directory, std::string name)
    : spool_(std::make_shared<Spool>(std::move(directory), std::move(name))) {}

ReceivedFile::~ReceivedFile() = default;

void ReceivedFile::on_output(Stream stream, std::string_view bytes) {
    if (stream != Stream::Out) return;
    if (!spool_->file) spool_->open();
    spool_->write(bytes);
}

std::function<fs::path()> ReceivedFile::completion() {
    return [spool = spool_] { return spool->complete(); };
}

}  // namespace volley::transports
