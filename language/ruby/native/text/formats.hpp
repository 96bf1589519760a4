#pragma once

#include <span>
#include <string>

#include "language/ruby/native/object.hpp"

namespace volley::ruby {

/// Kernel#format. Raises what Ruby raises; %p and numbers of objects that are none are NotNative.
std::string format_text(const std::string& format, std::span<const Object> arguments);

}  // namespace volley::ruby
