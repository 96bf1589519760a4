#pragma once

#include <string>

namespace volley::transports {

/// What the target's shell or a tool of it said, without the place in our program ("sh: 1: eval: ",
/// "sh: line 1: ") and without the temporary name that an upload has before it is complete.
std::string plain_words(std::string text);

}  // namespace volley::transports
