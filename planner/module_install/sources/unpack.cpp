#include "planner/module_install/sources/unpack.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <system_error>
#include <utility>
#include <vector>

#include "support/archive/libarchive.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley::modules {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_archive_path = 2000;
constexpr int deepest_archive_path = 100;

[[noreturn]] void archive_fault(const std::string& what, std::string_view entry, std::string_view problem) {
    throw Error("bolt/module-archive-error",
                entry.empty() ? fmt::format("The archive of {} cannot be unpacked: {}", what, problem)
                              : fmt::format("The archive of {} is refused at '{}': {}", what,
                                            scrub_utf8(entry), problem));
}

/// libarchive reading what an ArchiveInput returns. An exception of the input is kept while C code is on the
/// stack.
class ArchiveReader {
public:
    ArchiveReader(const ArchiveInput& input, const std::string& what)
        : input_(input), what_(what), archive_(library_.archive_read_new()) {
        library_.archive_read_support_format_tar(archive_.get());
        library_.archive_read_support_filter_gzip(archive_.get());
        check(library_.archive_read_open(archive_.get(), this, nullptr, &ArchiveReader::more, nullptr));
    }

    /// nullptr at the end.
    archive_entry* next() {
        archive_entry* entry = nullptr;
        const int status = library_.archive_read_next_header(archive_.get(), &entry);
        if (status == ARCHIVE_EOF) return nullptr;
        check(status);
        return entry;
    }

    /// The next piece of the entry's content; empty at its end.
    std::string_view content() {
        chunk_.resize(64 * 1024);
        const la_ssize_t n = library_.archive_read_data(archive_.get(), chunk_.data(), chunk_.size());
        if (n < 0) check(ARCHIVE_FATAL);
        return {chunk_.data(), static_cast<std::size_t>(n)};
    }

private:
    static la_ssize_t more(archive* reader, void* self, const void** bytes) {
        auto* own = static_cast<ArchiveReader*>(self);
        try {
            const std::string_view piece = own->input_();
            *bytes = piece.data();
            return static_cast<la_ssize_t>(piece.size());
        } catch (...) {
            own->problem_ = std::current_exception();
            own->library_.archive_set_error(reader, EIO, "the input failed");
            return -1;
        }
    }

    void check(int status) {
        if (problem_) std::rethrow_exception(problem_);
        if (status >= ARCHIVE_WARN) return;
        const char* reason = library_.archive_error_string(archive_.get());
        archive_fault(what_, {}, reason ? reason : "it is damaged");
    }

    const Libarchive& library_ = libarchive();
    const ArchiveInput& input_;
    const std::string& what_;
    std::string chunk_;
    std::exception_ptr problem_;
    ArchivePointer archive_;
};

/// The path without its "./" and, where that is wanted, without its top folder; empty for the top folder
/// itself.
class EntryPaths {
public:
    EntryPaths(const std::string& what, bool one_top_folder) : what_(what), one_top_folder_(one_top_folder) {}

    std::string place_of(const char* name) {
        if (!name || *name == '\0') archive_fault(what_, "(no name)", "an entry has no name");
        const std::string_view whole(name);
        if (whole.size() > longest_archive_path)
            archive_fault(what_, whole.substr(0, 100), "its path is too long");
        if (whole.front() == '/') archive_fault(what_, whole, "it would lie outside of the module");
        std::vector<std::string> parts;
        for (std::string& part : split(whole, '/')) {
            if (part == "..") archive_fault(what_, whole, "it would lie outside of the module");
            if (!part.empty() && part != ".") parts.push_back(std::move(part));
        }
        if (parts.size() > deepest_archive_path)
            archive_fault(what_, whole.substr(0, 100), "its path is too deep");
        if (one_top_folder_ && !parts.empty()) {
            if (top_.empty()) top_ = parts.front();
            if (parts.front() != top_)
                archive_fault(what_, whole, "it does not lie in the folder '" + top_ + "'");
            parts.erase(parts.begin());
        }
        return join(parts, "/");
    }

private:
    const std::string& what_;
    bool one_top_folder_;
    std::string top_;
};

/// True when a link at `place` leads to something below the root. ".." may only come first: after the name
/// of another link it would count from where that one leads to.
bool link_stays_inside(const std::string& place, std::string_view target) {
    if (target.empty() || target.front() == '/' || place.empty()) return false;
    std::size_t above = split(place, '/').size() - 1;
    bool descended = false;
    for (const std::string& part : split(target, '/')) {
        if (part == "..") {
            if (descended || above == 0) return false;
            --above;
        } else if (!part.empty() && part != ".") {
            descended = true;
        }
    }
    return true;
}

class Unpacker {
public:
    Unpacker(const ArchiveInput& input, const fs::path& goal, const UnpackSettings& settings)
        : reader_(input, settings.what),
          goal_(goal),
          settings_(settings),
          paths_(settings.what, settings.one_top_folder) {}

    void run() {
        std::size_t entries = 0;
        while (archive_entry* entry = reader_.next()) {
            if (++entries > settings_.limits.entries)
                archive_fault(settings_.what, {},
                              fmt::format("it has more than {} entries", settings_.limits.entries));
            take(entry);
        }
        if (entries == 0) archive_fault(settings_.what, {}, "it is empty");
        make_links();
    }

private:
    struct Link {
        std::string place;
        std::string target;
    };

    void take(archive_entry* entry) {
        const Libarchive& library = libarchive();
        const std::string place = paths_.place_of(library.archive_entry_pathname(entry));
        if (const char* hard = library.archive_entry_hardlink(entry))
            return copy_of(paths_.place_of(hard), place);
        switch (library.archive_entry_filetype(entry)) {
            case AE_IFDIR:
                return make_folder(goal_ / place, place);
            case AE_IFREG:
                return write(place, (library.archive_entry_perm(entry) & 0100) != 0);
            case AE_IFLNK: {
                const char* target = library.archive_entry_symlink(entry);
                if (!target || !link_stays_inside(place, target))
                    archive_fault(settings_.what, place, "the link leads out of the module");
                links_.push_back({place, target});
                return;
            }
            default:
                archive_fault(settings_.what, place, "it is neither a file nor a folder");
        }
    }

    /// There are no links on the disk before everything else is, so that nothing is written through one; nor
    /// is one put in the place of a folder.
    void make_links() {
        for (const Link& link : links_) make_folder((goal_ / link.place).parent_path(), link.place);
        for (const Link& link : links_) {
            std::error_code error;
            ::unlink((goal_ / link.place).c_str());
            fs::create_symlink(link.target, goal_ / link.place, error);
            if (error) archive_fault(settings_.what, link.place, error.message());
        }
    }

    void make_folder(const fs::path& folder, const std::string& place) const {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error) archive_fault(settings_.what, place, error.message());
    }

    UniqueFd create(const std::string& place, bool executable) const {
        if (place.empty()) archive_fault(settings_.what, "(top)", "the top is not a folder");
        const fs::path path = goal_ / place;
        make_folder(path.parent_path(), place);
        ::unlink(path.c_str());  // an archive may hold a file twice; the later one counts
        UniqueFd file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                             executable ? 0755 : 0644)};
        if (!file) archive_fault(settings_.what, place, ::strerror(errno));
        return file;
    }

    void write(const std::string& place, bool executable) {
        const UniqueFd file = create(place, executable);
        for (std::string_view piece = reader_.content(); !piece.empty(); piece = reader_.content())
            append(file, piece, place);
    }

    void append(const UniqueFd& file, std::string_view piece, const std::string& place) {
        written_ += piece.size();
        if (written_ > settings_.limits.bytes)
            archive_fault(settings_.what, {},
                          fmt::format("its files are larger than {} MiB", settings_.limits.bytes >> 20));
        while (!piece.empty()) {
            const ssize_t n = ::write(file.get(), piece.data(), piece.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) archive_fault(settings_.what, place, ::strerror(errno));
            piece.remove_prefix(static_cast<std::size_t>(n));
        }
    }

    /// A hard link becomes a file of its own: the module is then the same however it is copied.
    void copy_of(const std::string& original, const std::string& place) {
        std::error_code error;
        const fs::path from = goal_ / original;
        if (!fs::is_regular_file(fs::symlink_status(from, error)))
            archive_fault(settings_.what, place,
                          "it is a link to something that is not a file of the archive");
        const bool executable = ::access(from.c_str(), X_OK) == 0;
        const std::string content = read_file(from, "module file");
        append(create(place, executable), content, place);
    }

    ArchiveReader reader_;
    const fs::path& goal_;
    const UnpackSettings& settings_;
    EntryPaths paths_;
    std::vector<Link> links_;
    std::size_t written_ = 0;
};

/// All bytes at once, then the end.
ArchiveInput whole_input(std::string_view bytes) {
    return
        [bytes, given = false]() mutable { return std::exchange(given, true) ? std::string_view() : bytes; };
}

}  // namespace

void unpack_archive(const ArchiveInput& input, const fs::path& goal, const UnpackSettings& settings) {
    Unpacker(input, goal, settings).run();
}

void unpack_archive(std::string_view bytes, const fs::path& goal, const UnpackSettings& settings) {
    const ArchiveInput input = whole_input(bytes);
    Unpacker(input, goal, settings).run();
}

std::string file_in_archive(std::string_view bytes, std::string_view name, const std::string& what) {
    constexpr std::size_t largest = 16UL << 20;
    const ArchiveInput input = whole_input(bytes);
    ArchiveReader reader(input, what);
    const Libarchive& library = libarchive();
    EntryPaths paths(what, true);
    while (archive_entry* entry = reader.next()) {
        if (paths.place_of(library.archive_entry_pathname(entry)) != name) continue;
        std::string text;
        for (std::string_view piece = reader.content(); !piece.empty(); piece = reader.content()) {
            if (text.size() > largest) archive_fault(what, name, "it is too large");
            text += piece;
        }
        return text;
    }
    return {};
}

}  // namespace volley::modules
