#pragma once

#include <cstddef>
#include <filesystem>

namespace volley::journal {

/// After so many runs prune_when_due() looks at all that is kept, and after one that wrote the size limit
/// divided by them.
inline constexpr std::size_t runs_between_prunes = 256;

/// The next prune_when_due() of this journal removes what is beyond the limits.
void make_prune_due(const std::filesystem::path& folder) noexcept;

}  // namespace volley::journal
