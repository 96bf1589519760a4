#include "planner/types/plan_types.hpp"

#include "planner/types/declarations.hpp"

namespace volley::planner {

const NativeTypes& plan_types() {
    static const NativeTypes& types =
        NativeTypes::make({&target_type(), &resource_instance_type(), &result_type(), &apply_result_type(),
                           &result_set_type(), &container_result_type(), &future_type()});
    return types;
}

}  // namespace volley::planner
