#pragma once

#include <span>

#include "cli/outputters/outputter.hpp"

namespace volley::cli {

/// The guides of guides.def, in that order (MGT-017).
std::span<const Guide> guides();

}  // namespace volley::cli
