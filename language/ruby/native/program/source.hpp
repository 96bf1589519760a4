#pragma once

#include <memory>
#include <string_view>

#include "language/ruby/native/program/program.hpp"

namespace volley::ruby {

/// A program of plain statements; methods that it defines are its own. What is not native is its obstacle.
std::shared_ptr<const Program> compile_ruby(std::string_view source);
/// The program of an ERB template.
std::shared_ptr<const Program> compile_erb(std::string_view text);

}  // namespace volley::ruby
