#include "language/float_to_integer.hpp"

#include "language/errors.hpp"
#include "language/text/text.hpp"

namespace volley {

std::int64_t whole_number(double number) {
    constexpr double beyond = 9223372036854775808.0;
    if (!(number >= -beyond && number < beyond))
        throw EvalError("", "The number " + float_text(number) + " is too large for an Integer");
    return static_cast<std::int64_t>(number);
}

std::int64_t nanoseconds_of(std::int64_t seconds) {
    constexpr std::int64_t most = 9'200'000'000;
    if (seconds > most || seconds < -most)
        throw EvalError("", "The time " + std::to_string(seconds) + " is out of range");
    return seconds * 1'000'000'000;
}

std::int64_t nanoseconds_of(double seconds) {
    if (!(seconds > -9.2e9 && seconds < 9.2e9)) throw EvalError("", "The time is out of range");
    return static_cast<std::int64_t>(seconds * 1e9);
}

}  // namespace volley
