#include "transports/controller_user.hpp"

#include <cstdlib>

#include "support/files.hpp"

namespace volley::transports {

std::string controller_user() {
    const char* name = std::getenv("USER");
    return name != nullptr && *name != '\0' ? name : login_name();
}

}  // namespace volley::transports
