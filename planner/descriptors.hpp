#pragma once

#include <cstddef>

namespace volley::planner {

/// Files the program needs open besides its targets: logs, the loop, the terminal, key files.
constexpr std::size_t descriptors_of_program = 64;

/// Descriptors this process may have open.
struct DescriptorLimits {
    std::size_t soft = 0;
    std::size_t hard = 0;
};

/// How many targets of `wanted` fit under `hard` when each needs `each` descriptors; at least 1.
std::size_t targets_that_fit(std::size_t wanted, std::size_t each, std::size_t hard) noexcept;

/// Raises the soft limit of open files to what `wanted` targets at once need, up to the hard limit,
/// and returns how many fit. Warns once (`low_ulimit`, CFG-024) with the numbers when not all do.
std::size_t fit_descriptors(std::size_t wanted, std::size_t each);

/// Raises the soft limit up to the hard limit, for a program that keeps what it opened; returns it.
std::size_t raise_all_descriptors() noexcept;

DescriptorLimits descriptor_limits() noexcept;

}  // namespace volley::planner
