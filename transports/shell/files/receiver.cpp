#include "transports/shell/files/receiver.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>

#include "support/text.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void receive_fail(const fs::path& path, std::string_view reason) {
    throw file_error(fmt::format("'{}' on the controller: {}", path.string(), reason), "DOWNLOAD_ERROR");
}

void write_all(int fd, std::string_view bytes, const fs::path& path) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) receive_fail(path, ::strerror(errno));
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

void make_private_folder(const fs::path& path) {
    if (::mkdir(path.c_str(), S_IRWXU) != 0) receive_fail(path, ::strerror(errno));
}

// A file replaces what is there; a directory is merged into one that is there.
void put_in_place(const fs::path& from, const fs::path& to) {
    std::error_code error;
    if (fs::is_directory(from, error) && fs::is_directory(to, error)) {
        merge_tree(from, to);
        return;
    }
    fs::rename(from, to, error);
    if (error) receive_fail(to, error.message());
}

}  // namespace

// What has arrived so far. A file is written under a temporary name; an archive into a file without a name.
struct Receiver::Spool {
    Spool(fs::path into, std::string own_name)
        : directory(std::move(into)),
          target(directory / own_name),
          temporary(directory / (".volley-" + random_uuid())) {}
    ~Spool() {
        std::error_code ignored;
        fs::remove_all(temporary, ignored);
    }
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;

    void open() {
        std::error_code error;
        fs::create_directories(directory, error);
        if (error) receive_fail(directory, error.message());
        file.reset(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!file) receive_fail(temporary, ::strerror(errno));
        if (is_directory) fs::remove(temporary, error);
    }

    fs::path complete() {
        if (!file) open();
        std::error_code error;
        if (is_directory) {
            ::lseek(file.get(), 0, SEEK_SET);
            make_private_folder(temporary);  // until it has the mode that it has there
            unpack_tar(file.get(), temporary);
        } else if (::fchmod(file.get(), static_cast<mode_t>(mode)) != 0) {
            receive_fail(temporary, ::strerror(errno));
        }
        put_in_place(temporary, target);
        return target;
    }

    fs::path directory;
    fs::path target;
    fs::path temporary;
    bool is_directory = false;
    unsigned mode = 0644;
    UniqueFd file;
};

Receiver::Receiver(fs::path directory, std::string name)
    : spool_(std::make_shared<Spool>(std::move(directory), std::move(name))) {}

Receiver::~Receiver() = default;

void Receiver::expect(std::string_view mode_text) {
    spool_->is_directory = mode_text.starts_with('d');
    spool_->mode = parse_mode_text(mode_text);
}

void Receiver::on_output(Stream stream, std::string_view bytes) {
    if (stream != Stream::Out) return;
    if (!spool_->file) spool_->open();
    write_all(spool_->file.get(), bytes, spool_->directory);
}

std::function<fs::path()> Receiver::completion() {
    return [spool = spool_] { return spool->complete(); };
}

DownloadFolder::DownloadFolder(fs::path directory)
    : directory_(std::move(directory)), path_(directory_ / (".volley-" + random_uuid())) {
    std::error_code error;
    fs::create_directories(directory_, error);
    if (error) receive_fail(directory_, error.message());
    make_private_folder(path_);
}

DownloadFolder::~DownloadFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path DownloadFolder::keep(const std::string& name) {
    fs::path place = directory_ / name;
    put_in_place(path_ / name, place);
    return place;
}

unsigned parse_mode_text(std::string_view text) noexcept {
    if (text.size() < 10) return 0644;
    unsigned mode = 0;
    for (std::size_t i = 0; i < 9; ++i) {
        const char c = text[i + 1];
        // "s" and "t" mean that the execute bit is set beside a special one, which is not carried over.
        const bool set = c == 'r' || c == 'w' || c == 'x' || c == 's' || c == 't';
        mode = mode << 1 | (set ? 1U : 0U);
    }
    return mode;
}

void merge_tree(const fs::path& from, const fs::path& to) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
        const fs::path destination = to / entry.path().filename();
        const bool both_directories =
            entry.is_directory() && fs::symlink_status(destination, error).type() == fs::file_type::directory;
        if (both_directories) {
            merge_tree(entry.path(), destination);
            continue;
        }
        fs::rename(entry.path(), destination, error);
        if (error) receive_fail(destination, error.message());
    }
}

}  // namespace volley::transports
