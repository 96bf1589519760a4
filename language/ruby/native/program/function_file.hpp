#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "language/ruby/native_ruby.hpp"

namespace volley::ruby {

/// Reads the file of one function without running it. Never throws: what is not understood is its
/// obstacle.
FunctionFile read_function_file(std::string_view text, bool legacy);

/// The same of a file on the disk, read once per process and again when it has changed. May be used by all
/// threads. The obstacle of a file that cannot be read is that.
std::shared_ptr<const FunctionFile> function_file(const std::string& path, bool legacy);

}  // namespace volley::ruby
