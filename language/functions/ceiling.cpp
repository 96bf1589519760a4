#include <cmath>

#include "language/functions/rounding.hpp"

namespace volley::builtins {

const Builtin& ceiling_builtin() {
    static const Builtin def =
        rounding_function<std::ceil>("ceiling", "The smallest integer that is not below a number.");
    return def;
}

}  // namespace volley::builtins
