#include "language/loaders/file_texts.hpp"

#include <mutex>
#include <unordered_map>

#include "language/loaders/file_stamp.hpp"
#include "support/files.hpp"

namespace volley {
namespace {

// Larger files are not kept, and not more than so many bytes of all: code of modules needs a few megabytes.
constexpr std::size_t largest_kept_text = 1024 * 1024;
constexpr std::size_t most_kept_text = 64 * 1024 * 1024;

struct KeptText {
    FileFreshness freshness;
    std::shared_ptr<const std::string> text;
};

class FileTexts {
public:
    std::shared_ptr<const std::string> find(const std::string& path, const FileStamp& stamp) {
        const std::lock_guard lock(mutex_);
        const auto known = texts_.find(path);
        return known != texts_.end() && known->second.freshness.is_current(stamp) ? known->second.text : nullptr;
    }
    /// The text to use: the one that is kept, when it is the same.
    std::shared_ptr<const std::string> keep(const std::string& path, const FileStamp& stamp, std::string text) {
        if (text.size() > largest_kept_text) return std::make_shared<const std::string>(std::move(text));
        const std::lock_guard lock(mutex_);
        const std::size_t old = texts_.contains(path) ? texts_.at(path).text->size() : 0;
        bytes_ += text.size() - old;
        if (bytes_ > most_kept_text) {
            texts_.clear();
            bytes_ = text.size();
        }
        KeptText& kept = texts_[path];
        if (!kept.freshness.is_same_text(stamp, text)) kept.text = std::make_shared<const std::string>(std::move(text));
        return kept.text;
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::string, KeptText> texts_;
    std::size_t bytes_ = 0;
};

}  // namespace

std::shared_ptr<const std::string> file_text(const std::string& path, std::string_view what) {
    static FileTexts* const texts = new FileTexts;  // outlives the static objects that may still use it
    const FileStamp stamp = FileStamp::of(path);
    if (auto known = texts->find(path, stamp)) return known;
    return texts->keep(path, stamp, read_file(path, what));
}

}  // namespace volley
