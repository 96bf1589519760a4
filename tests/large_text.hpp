#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace volley::testing {

/// "" when the texts are equal, else where they are not: Catch would print megabytes, for many minutes.
inline std::string difference(std::string_view got, std::string_view wanted) {
    if (got == wanted) return "";
    const auto at = std::mismatch(got.begin(), got.end(), wanted.begin(), wanted.end()).first - got.begin();
    return std::to_string(got.size()) + " bytes and not " + std::to_string(wanted.size()) +
           "; they differ from byte " + std::to_string(at) + " on";
}

}  // namespace volley::testing
