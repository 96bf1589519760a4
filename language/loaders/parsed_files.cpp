#include "language/loaders/parsed_files.hpp"

#include <sys/stat.h>

#include <mutex>
#include <unordered_map>

#include "support/files.hpp"

namespace volley {
namespace {

/// What tells one state of a file from the next.
struct FileStamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = -1;
    timespec changed{};

    bool operator==(const FileStamp& other) const {
        return device == other.device && inode == other.inode && size == other.size &&
               changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
    }
};

FileStamp stamp_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};  // reading it tells why
    return {status.st_dev, status.st_ino, status.st_size, status.st_mtim};
}

struct ParsedFile {
    std::mutex mutex;  // held while the file is parsed
    FileStamp stamp;
    std::shared_ptr<const CheckedProgram> program;
};

// A process that sees more files than this forgets those that nobody uses any more.
constexpr std::size_t most_parsed_files = 10'000;

class ParsedFiles {
public:
    std::shared_ptr<ParsedFile> entry(const std::string& key) {
        const std::lock_guard lock(mutex_);
        if (files_.size() >= most_parsed_files) forget_unused();
        std::shared_ptr<ParsedFile>& file = files_[key];
        if (!file) file = std::make_shared<ParsedFile>();
        return file;
    }

private:
    void forget_unused() {
        std::erase_if(files_, [](const auto& item) {
            const std::shared_ptr<ParsedFile>& file = item.second;
            return file.use_count() == 1 && (!file->program || file->program.use_count() == 1);
        });
    }

    std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<ParsedFile>> files_;
};

/// The trees outlive whatever static object still refers to them when the process ends.
ParsedFiles& all_parsed_files() {
    static ParsedFiles* const files = new ParsedFiles;
    return *files;
}

std::string parsed_file_key(const std::string& path, const LanguageSettings& settings,
                            const std::optional<std::string>& file_namespace) {
    std::string key = path;
    key += '\0';
    key += static_cast<char>('0' + static_cast<int>(settings.strict));
    key += settings.tasks ? 'T' : '-';
    if (file_namespace) key += "@" + *file_namespace;
    return key;
}

}  // namespace

std::shared_ptr<const CheckedProgram> parsed_file(const std::string& path, const LanguageSettings& settings,
                                                  const std::optional<std::string>& file_namespace) {
    const auto file = all_parsed_files().entry(parsed_file_key(path, settings, file_namespace));
    const std::lock_guard lock(file->mutex);
    const FileStamp stamp = stamp_of(path);
    if (file->program && file->stamp == stamp) return file->program;
    CheckOptions options{.file = path, .epp = path.ends_with(".epp"), .file_namespace = file_namespace};
    file->program = std::make_shared<const CheckedProgram>(
        check_program(read_file(path, "Puppet code"), settings, std::move(options)));
    file->stamp = stamp;
    return file->program;
}

}  // namespace volley
