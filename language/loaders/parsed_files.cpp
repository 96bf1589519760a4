#include "language/loaders/parsed_files.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "support/files.hpp"

namespace volley {
namespace {

struct ParsedFile {
    std::mutex mutex;  // held while the file is parsed
    FileFreshness freshness;
    std::shared_ptr<const CheckedProgram> program;
};

// A process that sees more files than this forgets those that nobody uses any more.
constexpr std::size_t most_parsed_files = 10'000;

class ParsedFiles {
public:
    std::shared_ptr<ParsedFile> entry(const std::string& key) {
        const std::lock_guard lock(mutex_);
        if (files_.size() >= forget_at_) forget_unused();
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
        // With so many in use the next look at all of them is worth it only when there are twice as many.
        forget_at_ = std::max(most_parsed_files, 2 * files_.size());
    }

    std::mutex mutex_;
    std::size_t forget_at_ = most_parsed_files;
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
    if (file->program && file->freshness.is_current(stamp)) return file->program;
    std::string text = read_file(path, "Puppet code");
    const bool same = file->freshness.is_same_text(stamp, text);
    if (file->program && same) return file->program;
    file->program = nullptr;  // until the new text turns out to be free of mistakes
    CheckOptions options{.file = path, .epp = path.ends_with(".epp"), .file_namespace = file_namespace};
    file->program = std::make_shared<const CheckedProgram>(
        check_program(std::move(text), settings, std::move(options)));
    return file->program;
}

}  // namespace volley
