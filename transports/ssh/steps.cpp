#include "transports/ssh/steps.hpp"

namespace volley::transports::ssh {

std::string printable(std::string_view text) {
    std::string shown;
    for (const char c : text) {
        if (c >= ' ' && c <= '~') {
            shown += c;
        } else {
            shown += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
        }
    }
    return shown;
}

}  // namespace volley::transports::ssh
