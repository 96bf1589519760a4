#include "language/loaders/parsed_files.hpp"

#include <mutex>
#include <unordered_map>

#include "support/files.hpp"

namespace volley {
namespace {

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
    return parsed_file(path, FileStamp::of(path), settings, file_namespace);
}

std::shared_ptr<const CheckedProgram> parsed_file(const std::string& path, const FileStamp& stamp,
                                                  const LanguageSettings& settings,
                                                  const std::optional<std::string>& file_namespace) {
    const auto file = all_parsed_files().entry(parsed_file_key(path, settings, file_namespace));
    const std::lock_guard lock(file->mutex);
    if (file->program && file->stamp == stamp) return file->program;
    CheckOptions options{.file = path, .epp = path.ends_with(".epp"), .file_namespace = file_namespace};
    file->program = std::make_shared<const CheckedProgram>(
        check_program(read_file(path, "Puppet code"), settings, std::move(options)));
    file->stamp = stamp;
    return file->program;
}

}  // namespace volley
