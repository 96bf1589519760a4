#include "apply/compiler/compiler.hpp"
#include "language/functions/builtin.hpp"

namespace volley {

namespace compiler_functions {
#define VOLLEY_BUILTIN(function) const Builtin& function##_builtin();
#include "apply/compiler/functions/registry.def"
#undef VOLLEY_BUILTIN
}  // namespace compiler_functions

const std::vector<const Builtin*>& compiler_builtins() {
    static const std::vector<const Builtin*> list{
#define VOLLEY_BUILTIN(function) &compiler_functions::function##_builtin(),
#include "apply/compiler/functions/registry.def"
#undef VOLLEY_BUILTIN
    };
    return list;
}

}  // namespace volley
