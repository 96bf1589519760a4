#include <cmath>

#include "language/functions/rounding.hpp"

namespace volley::builtins {

const Builtin& floor_builtin() {
    static const Builtin def =
        rounding_function<std::floor>("floor", "The largest integer that is not above a number.");
    return def;
}

}  // namespace volley::builtins
