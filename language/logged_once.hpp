#pragma once

#include <mutex>
#include <set>
#include <string>

namespace volley {

/// Which warnings were logged already, so that each is logged once. Safe to use from several threads: the
/// compilations of one run share it.
class LoggedOnce {
public:
    /// Whether nobody has asked for this key before. After a hundred keys no, always (compatibility).
    bool first(const std::string& key) {
        constexpr std::size_t most = 100;
        const std::lock_guard lock(mutex_);
        return keys_.size() < most && keys_.insert(key).second;
    }

private:
    std::mutex mutex_;
    std::set<std::string> keys_;
};

}  // namespace volley
