#include "transports/shell/files/payload.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>

#include "support/text.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void payload_fail(const fs::path& path, std::string_view reason, std::string_view issue_code) {
    throw file_error(fmt::format("Could not read '{}': {}", path.string(), reason), issue_code);
}

using Identity = std::pair<dev_t, ino_t>;

struct Walk {
    std::string_view issue_code;
    std::vector<PayloadEntry> entries;
    std::vector<Identity> above;
};

struct stat status_of(const fs::path& path, std::string_view issue_code) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) payload_fail(path, ::strerror(errno), issue_code);
    return status;
}

PayloadEntry to_entry(const fs::path& local, std::string remote, const struct stat& status,
                      std::string_view issue_code) {
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        payload_fail(local, "neither a file nor a directory", issue_code);
    PayloadEntry entry;
    entry.local = local;
    entry.remote = std::move(remote);
    entry.is_directory = S_ISDIR(status.st_mode);
    entry.size = entry.is_directory ? 0 : static_cast<std::uintmax_t>(status.st_size);
    entry.mode = status.st_mode & 0777;
    return entry;
}

void visit(Walk& walk, const fs::path& directory, const std::string& remote) {
    const struct stat status = status_of(directory, walk.issue_code);
    const Identity self{status.st_dev, status.st_ino};
    if (std::find(walk.above.begin(), walk.above.end(), self) != walk.above.end())
        payload_fail(directory, "a symbolic link leads back to a directory above it", walk.issue_code);
    walk.entries.push_back(to_entry(directory, remote, status, walk.issue_code));
    walk.above.push_back(self);

    std::error_code error;
    std::vector<fs::path> children;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
        children.push_back(it->path());
    if (error) payload_fail(directory, error.message(), walk.issue_code);
    std::sort(children.begin(), children.end());
    for (const fs::path& child : children) {
        const std::string name =
            remote == "." ? child.filename().string() : remote + "/" + child.filename().string();
        const struct stat child_status = status_of(child, walk.issue_code);
        if (S_ISDIR(child_status.st_mode)) {
            visit(walk, child, name);
        } else {
            walk.entries.push_back(to_entry(child, name, child_status, walk.issue_code));
        }
    }
    walk.above.pop_back();
}

}  // namespace

PayloadEntry payload_entry(const fs::path& local, std::string remote, std::string_view issue_code) {
    return to_entry(local, std::move(remote), status_of(local, issue_code), issue_code);
}

PayloadEntry payload_text(std::string text, std::string remote) {
    PayloadEntry entry;
    entry.remote = std::move(remote);
    entry.size = text.size();
    entry.mode = 0600;
    entry.text = std::move(text);
    return entry;
}

std::vector<PayloadEntry> payload_tree(const fs::path& directory, std::string_view issue_code) {
    Walk walk;
    walk.issue_code = issue_code;
    visit(walk, directory, ".");
    return std::move(walk.entries);
}

void check_inside(const std::string& remote) {
    bool good = !remote.empty() && remote.front() != '/';
    for (const std::string& part : split(remote, '/')) good = good && part != "..";
    if (!good)
        throw file_error(fmt::format("'{}' is outside of the task's directory", remote), "WRITE_ERROR");
}

void SequenceInput::add_text(std::string text) {
    if (text.empty()) return;
    Part part;
    part.size = text.size();
    part.text = std::move(text);
    total_ += part.size;
    parts_.push_back(std::move(part));
}

void SequenceInput::add_file(fs::path path, std::uintmax_t size) {
    if (size == 0) return;
    Part part;
    part.path = std::move(path);
    part.size = size;
    total_ += size;
    parts_.push_back(std::move(part));
}

void SequenceInput::add(const PayloadEntry& entry) {
    if (entry.is_directory) return;
    if (entry.text) {
        add_text(*entry.text);
    } else {
        add_file(entry.local, entry.size);
    }
}

std::size_t SequenceInput::read(std::span<char> buffer) {
    std::size_t filled = 0;
    while (filled < buffer.size() && at_ < parts_.size()) {
        const Part& part = parts_[at_];
        const std::uintmax_t left = part.size - done_;
        const std::size_t wanted =
            static_cast<std::size_t>(std::min<std::uintmax_t>(left, buffer.size() - filled));
        const std::size_t n = read_part(part, buffer.subspan(filled, wanted));
        filled += n;
        done_ += n;
        if (done_ == part.size) {
            ++at_;
            done_ = 0;
            file_.reset();
        }
    }
    return filled;
}

std::size_t SequenceInput::read_part(const Part& part, std::span<char> buffer) {
    if (part.path.empty()) {
        ::memcpy(buffer.data(), part.text.data() + done_, buffer.size());
        return buffer.size();
    }
    if (!file_) {
        file_.reset(::open(part.path.c_str(), O_RDONLY | O_CLOEXEC));
        if (!file_) payload_fail(part.path, ::strerror(errno), "WRITE_ERROR");
    }
    ssize_t n = 0;
    do n = ::read(file_.get(), buffer.data(), buffer.size());
    while (n < 0 && errno == EINTR);
    if (n < 0) payload_fail(part.path, ::strerror(errno), "WRITE_ERROR");
    if (n == 0) payload_fail(part.path, "it shrank while it was being sent", "WRITE_ERROR");
    return static_cast<std::size_t>(n);
}

}  // namespace volley::transports
