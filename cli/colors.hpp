#pragma once

#include "inventory/project.hpp"

namespace volley::cli {

/// False when the environment asks for plain text: NO_COLOR is set, or TERM says the terminal cannot.
inline bool colors_wanted(const inventory::Surroundings& surroundings) {
    return !surroundings.environment("NO_COLOR") && surroundings.environment("TERM").value_or("") != "dumb";
}

}  // namespace volley::cli
