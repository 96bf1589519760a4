#pragma once

#include <string>
#include <string_view>

namespace volley::ruby_source {

/// The Ruby program that an ERB template stands for, as ERB.new(text, trim_mode: '-') makes it: it appends to
/// a variable, whose text is the program's value. Every line of the template is the same line of the program.
std::string erb_program(std::string_view text);

}  // namespace volley::ruby_source
