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
    FileStamp stamp;
    std::shared_ptr<const std::string> text;
};

class FileTexts {
public:
    std::shared_ptr<const std::string> find(const std::string& path, const FileStamp& stamp) {
        const std::lock_guard lock(mutex_);
        const auto known = texts_.find(path);
        return known != texts_.end() && known->second.stamp == stamp ? known->second.text : nullptr;
    }
    void keep(const std::string& path, const FileStamp& stamp, std::shared_ptr<const std::string> text) {
        if (text->size() > largest_kept_text || !stamp.settled()) return;
        const std::lock_guard lock(mutex_);
        bytes_ += text->size();
        if (bytes_ > most_kept_text) {
            texts_.clear();
            bytes_ = text->size();
        }
        texts_[path] = {stamp, std::move(text)};
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
    auto text = std::make_shared<const std::string>(read_file(path, what));
    texts->keep(path, stamp, text);
    return text;
}

}  // namespace volley
