// Compiled where VOLLEY_NATIVE_RUBY is OFF, in place of language/ruby/native.
#include "language/ruby/native_ruby.hpp"
#include "language/ruby/ruby.hpp"

namespace volley {

std::unique_ptr<ruby::NativeRuby> ruby::make_native_ruby() { return nullptr; }

bool is_native_ruby(std::string_view, bool) { return false; }

}  // namespace volley
