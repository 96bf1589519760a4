#include "language/ruby/program.hpp"

#include <string>

namespace volley {

std::string_view ruby_worker_program() {
    static const std::string program =
#include "language/ruby/worker_program.inc"
        ;
    return program;
}

std::string_view ruby_worker_part(std::string_view name) {
    static constexpr std::string_view parts[][2] = {
#include "language/ruby/worker_parts.inc"
    };
    for (const auto& part : parts) {
        if (part[0] == name) return part[1];
    }
    return {};
}

}  // namespace volley
