#pragma once

#include <memory>

#include "transports/connection.hpp"

namespace volley::transports {

/// What comes out of `source`, compressed with gzip, and after it the SHA-256 of the compressed bytes; made
/// as it is read, so that little is in memory.
std::unique_ptr<Input> make_gzip_input(std::unique_ptr<Input> source);

/// All that an input has, in memory.
std::string read_all(Input& input);

}  // namespace volley::transports
