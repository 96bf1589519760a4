#include "planner/functions/registry.hpp"

namespace volley::planner {

#define VOLLEY_PLAN_FUNCTION(name) const Builtin& name##_function();
#include "planner/functions/registry.def"
#undef VOLLEY_PLAN_FUNCTION

const std::vector<const Builtin*>& plan_functions() {
    static const std::vector<const Builtin*> all{
#define VOLLEY_PLAN_FUNCTION(name) &name##_function(),
#include "planner/functions/registry.def"
#undef VOLLEY_PLAN_FUNCTION
    };
    return all;
}

}  // namespace volley::planner
