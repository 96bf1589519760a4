#include "transports/connection.hpp"

#include <algorithm>

namespace volley::transports {

std::size_t TextInput::read(std::span<char> buffer) {
    const std::size_t n = std::min(buffer.size(), rest_.size());
    std::copy_n(rest_.data(), n, buffer.data());  // memcpy would forbid the null data of an empty text
    rest_.remove_prefix(n);
    return n;
}

}  // namespace volley::transports
