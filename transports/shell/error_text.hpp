#pragma once

#include <string>

namespace volley::transports {

/// The error message of the target's shell or a tool, without the position in our program ("sh: 1: eval: ",
/// "sh: line 1: ") and without the temporary name that an upload has before it is complete.
std::string plain_error_text(std::string text);

}  // namespace volley::transports
