#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::planner {

/// A number of targets, or a part of all of them: "5", "10%".
struct Share {
    std::size_t number = 0;
    bool percent = false;
    /// Of so many targets; a part is rounded up, and never nothing.
    std::size_t of(std::size_t total) const noexcept;
    std::string text() const;
};
/// nullopt for anything but a whole number above 0, or one up to 100 with a percent sign.
std::optional<Share> parse_share(std::string_view text);

/// How an action goes over its targets: in which portions, and when it stops to start on more.
struct Rollout {
    std::optional<Share> batch;              ///< so many at a time, the next when all of these are done
    std::chrono::nanoseconds batch_wait{0};  ///< between batches
    std::size_t canary = 0;                  ///< so many first; a failure among them stops the rest
    std::optional<Share> max_failures;       ///< when so many have failed, no further target is started
    std::optional<std::chrono::nanoseconds> timeout;        ///< for each target
    std::optional<std::chrono::nanoseconds> total_timeout;  ///< for all of them

    /// The portions of `total` targets, in order: index of the first and the one after the last.
    std::vector<std::pair<std::size_t, std::size_t>> portions(std::size_t total) const;
};

/// "1 second", "0.5 seconds".
std::string seconds_text(std::chrono::nanoseconds time);

}  // namespace volley::planner
