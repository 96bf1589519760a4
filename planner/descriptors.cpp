#include "planner/descriptors.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <limits>
#include <string>

#include "support/log.hpp"

namespace volley::planner {
namespace {

std::size_t count_of(rlim_t limit) noexcept {
    return limit == RLIM_INFINITY ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(limit);
}

void raise_soft_limit(std::size_t needed) noexcept {
    rlimit limits{};
    if (::getrlimit(RLIMIT_NOFILE, &limits) != 0 || count_of(limits.rlim_cur) >= needed) return;
    limits.rlim_cur = std::min<rlim_t>(limits.rlim_max, needed);
    ::setrlimit(RLIMIT_NOFILE, &limits);  // when it fails the window is made to fit what there is
}

}  // namespace

std::size_t raise_all_descriptors() noexcept {
    static constexpr std::size_t plenty = 65536;  // some systems have no hard limit worth the name
    raise_soft_limit(std::min(plenty, descriptor_limits().hard));
    return descriptor_limits().soft;
}

DescriptorLimits descriptor_limits() noexcept {
    rlimit limits{};
    if (::getrlimit(RLIMIT_NOFILE, &limits) != 0) return {1024, 1024};
    return {count_of(limits.rlim_cur), count_of(limits.rlim_max)};
}

std::size_t targets_that_fit(std::size_t wanted, std::size_t each, std::size_t hard) noexcept {
    if (hard <= descriptors_of_program) return 1;
    const std::size_t space = (hard - descriptors_of_program) / each;
    return std::max<std::size_t>(1, std::min(wanted, space));
}

std::size_t fit_descriptors(std::size_t wanted, std::size_t each) {
    const std::size_t needed = descriptors_of_program + wanted * each;
    raise_soft_limit(needed);
    const std::size_t open = descriptor_limits().soft;
    const std::size_t fit = targets_that_fit(wanted, each, open);
    if (fit < wanted) {
        log_warning_once("low_ulimit", "planner.executor",
                         "This process may have " + std::to_string(open) + " files open, and " +
                             std::to_string(wanted) + " targets at once need about " +
                             std::to_string(needed) + ", so only " + std::to_string(fit) +
                             " run at once. Raise the hard limit ('ulimit -n " + std::to_string(needed) +
                             "', or LimitNOFILE of the service), or choose a lower --concurrency.");
    }
    return fit;
}

}  // namespace volley::planner
