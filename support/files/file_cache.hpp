#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "support/files/file_stamp.hpp"

namespace volley {

/// What was made of the texts of files, for as long as they stay as they are (FileFreshness). Any thread may
/// use it; one that asks for a file that another works on waits for it. What somebody still uses is never
/// forgotten.
template <class T>
class FileCache {
public:
    struct Limits {
        std::size_t files = 10'000;                ///< with more, those that nobody uses are forgotten
        std::size_t bytes = std::size_t{1} << 30;  ///< of their texts, likewise
    };
    FileCache() = default;
    explicit FileCache(Limits limits) : limits_(limits), forget_at_(limits) {}

    /// `key`: the file's path and everything else that the result depends on (a modulepath, settings).
    /// `stamp`: of the file, taken now. `read()` returns the file's text, `make(std::string text)` the
    /// std::shared_ptr<const T>; what they throw passes, and the next call asks them again. They must not ask
    /// this cache for the same key.
    template <class Read, class Make>
    std::shared_ptr<const T> get(const std::string& key, const FileStamp& stamp, Read read, Make make) {
        return get(key, stamp, read, make, [](const T&) { return true; });
    }

    /// The same for a result that depends on more than the file: `is_valid(const T&)` returns whether all of
    /// that is as it was when the result was made.
    template <class Read, class Make, class IsValid>
    std::shared_ptr<const T> get(const std::string& key, const FileStamp& stamp, Read read, Make make,
                                 IsValid is_valid) {
        const std::shared_ptr<Entry> entry = entry_of(key);
        const std::lock_guard lock(entry->mutex);
        const bool valid = entry->made && is_valid(*entry->made);
        if (valid && entry->freshness.is_current(stamp)) return entry->made;
        std::string text = read();
        if (entry->freshness.is_same_text(stamp, text) && valid) return entry->made;
        weigh(*entry, text.size());
        entry->made = nullptr;  // until the new text turns out to be free of mistakes
        entry->made = make(std::move(text));
        return entry->made;
    }

    std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return entries_.size();
    }

    /// How often all entries were looked at for those that nobody uses: what makes a call slow.
    std::size_t sweeps() const {
        const std::lock_guard lock(mutex_);
        return sweeps_;
    }

private:
    struct Entry {
        std::mutex mutex;  // held while the file is read and worked on
        FileFreshness freshness;
        std::shared_ptr<const T> made;
        std::size_t bytes = 0;  // guarded by the cache's mutex
    };

    std::shared_ptr<Entry> entry_of(const std::string& key) {
        const std::lock_guard lock(mutex_);
        if (entries_.size() >= forget_at_.files || bytes_ >= forget_at_.bytes) forget_unused();
        std::shared_ptr<Entry>& entry = entries_[key];
        if (!entry) entry = std::make_shared<Entry>();
        return entry;
    }

    void weigh(Entry& entry, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        bytes_ += bytes - std::exchange(entry.bytes, bytes);
    }

    void forget_unused() {
        ++sweeps_;
        std::erase_if(entries_, [this](const auto& item) {
            const std::shared_ptr<Entry>& entry = item.second;
            if (entry.use_count() > 1 || (entry->made && entry->made.use_count() > 1)) return false;
            bytes_ -= entry->bytes;
            return true;
        });
        // With so many in use the next look at all of them is worth it only when there are twice as many.
        forget_at_ = {std::max(limits_.files, 2 * entries_.size()), std::max(limits_.bytes, 2 * bytes_)};
    }

    const Limits limits_{};
    mutable std::mutex mutex_;
    Limits forget_at_{};
    std::size_t bytes_ = 0, sweeps_ = 0;
    std::unordered_map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace volley
