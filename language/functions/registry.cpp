#include "language/functions/builtin.hpp"

namespace volley {

namespace builtins {
#define VOLLEY_BUILTIN(function) const Builtin& function##_builtin();
#include "language/functions/registry.def"
#undef VOLLEY_BUILTIN
}  // namespace builtins

const std::vector<const Builtin*>& all_builtins() {
    static const std::vector<const Builtin*> list{
#define VOLLEY_BUILTIN(function) &builtins::function##_builtin(),
#include "language/functions/registry.def"
#undef VOLLEY_BUILTIN
    };
    return list;
}

}  // namespace volley
