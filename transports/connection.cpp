#include "transports/connection.hpp"

#include <algorithm>
#include <cstring>

namespace volley::transports {

std::size_t TextInput::read(std::span<char> buffer) {
    const std::size_t n = std::min(buffer.size(), rest_.size());
    std::memcpy(buffer.data(), rest_.data(), n);
    rest_.remove_prefix(n);
    return n;
}

}  // namespace volley::transports
