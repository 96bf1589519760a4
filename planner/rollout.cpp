#include "planner/rollout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace volley::planner {

std::size_t Share::of(std::size_t total) const noexcept {
    if (!percent) return number;
    return std::max<std::size_t>(1, (total * number + 99) / 100);
}

std::string Share::text() const { return std::to_string(number) + (percent ? "%" : ""); }

std::optional<Share> parse_share(std::string_view text) {
    Share share;
    share.percent = text.ends_with('%');
    if (share.percent) text.remove_suffix(1);
    const char* const end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, share.number);
    if (text.empty() || stopped != end || problem != std::errc() || share.number == 0) return std::nullopt;
    if (share.percent && share.number > 100) return std::nullopt;
    return share;
}

std::vector<std::pair<std::size_t, std::size_t>> Rollout::portions(std::size_t total) const {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    std::size_t begin = 0;
    if (canary > 0) found.emplace_back(0, begin = std::min(canary, total));
    const std::size_t size = batch ? batch->of(total) : total;
    while (begin < total) {
        const std::size_t end = begin + std::min(size, total - begin);
        found.emplace_back(begin, end);
        begin = end;
    }
    return found;
}

std::string seconds_text(std::chrono::nanoseconds time) {
    const std::string number = fmt::format("{:.6g}", std::chrono::duration<double>(time).count());
    return number + (number == "1" ? " second" : " seconds");
}

}  // namespace volley::planner
