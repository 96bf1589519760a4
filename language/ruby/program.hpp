#pragma once

#include <string_view>

namespace volley {

/// The Ruby program that worker processes run: the files of language/ruby/worker, compiled in.
std::string_view ruby_worker_program();
/// What a worker reads when code first needs it: worker/parts/NAME.rb; empty when there is none of that name.
std::string_view ruby_worker_part(std::string_view name);

}  // namespace volley
