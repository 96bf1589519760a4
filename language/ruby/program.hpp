#pragma once

#include <string_view>

namespace volley {

/// The Ruby program that worker processes run: the files of language/ruby/worker, compiled in.
std::string_view ruby_worker_program();

}  // namespace volley
