#pragma once

#include "inventory/project/project.hpp"

namespace volley::cli {

/// False when the environment asks for plain text: NO_COLOR is set, or TERM says the terminal cannot.
inline bool colors_wanted(const inventory::ProcessContext& process) {
    return !process.environment("NO_COLOR") && process.environment("TERM").value_or("") != "dumb";
}

}  // namespace volley::cli
