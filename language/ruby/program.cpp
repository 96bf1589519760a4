#include "language/ruby/program.hpp"

#include <string>

namespace volley {

std::string_view ruby_worker_program() {
    static const std::string program =
#include "language/ruby/worker_program.inc"
        ;
    return program;
}

}  // namespace volley
