#include "support/process/environment.hpp"

#include <cstdlib>

namespace volley {

std::string environment_variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

}  // namespace volley
