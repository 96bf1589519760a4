#include "transports/transport.hpp"

#include "transports/errors.hpp"

namespace volley::transports {

std::unique_ptr<Transport> make_ssh(Runtime&) {
    throw connect_error("The ssh engine is not part of this build");
}

}  // namespace volley::transports
