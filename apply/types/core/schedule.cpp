#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& schedule_type() {
    static const TypeSpec spec{
        .name = "schedule",
        .parameters = {"name", "range", "periodmatch", "period", "repeat", "weekday"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types
