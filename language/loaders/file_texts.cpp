#include "language/loaders/file_texts.hpp"

#include "support/files.hpp"
#include "support/files/file_cache.hpp"

namespace volley {

std::shared_ptr<const std::string> file_text(const std::string& path, std::string_view what) {
    // Larger files are not kept, and not more than so many bytes of all: code of modules needs a few
    // megabytes.
    constexpr off_t largest_kept_text = 1024 * 1024;
    constexpr std::size_t most_kept_text = 64 * 1024 * 1024;
    using Texts = FileCache<std::string>;
    static auto* const texts =
        new Texts({.bytes = most_kept_text});  // outlives the static objects that may still use it
    const FileStamp stamp = FileStamp::of(path);
    if (stamp.size > largest_kept_text) return std::make_shared<const std::string>(read_file(path, what));
    return texts->get(
        path, stamp, [&] { return read_file(path, what); },
        [](std::string text) { return std::make_shared<const std::string>(std::move(text)); });
}

}  // namespace volley
