#include "cli/guides/guides.hpp"

#include <array>

namespace volley::cli {

#define VOLLEY_GUIDE(name) Guide name##_guide();
#include "cli/guides/guides.def"
#undef VOLLEY_GUIDE

std::span<const Guide> guides() {
#define VOLLEY_GUIDE(name) name##_guide(),
    static const auto table = std::to_array<Guide>({
#include "cli/guides/guides.def"
    });
#undef VOLLEY_GUIDE
    return table;
}

}  // namespace volley::cli
