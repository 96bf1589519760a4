#include "language/functions/log_text.hpp"

#include "language/evaluator/evaluator.hpp"

namespace volley {

std::string log_text(std::span<const Value> values) {
    std::string line;
    for (std::size_t i = 0; i < values.size(); ++i) line += (i > 0 ? " " : "") + Evaluator::text(values[i]);
    return line;
}

}  // namespace volley
