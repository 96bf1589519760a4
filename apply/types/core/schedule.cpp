#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& schedule_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "schedule",
        .attributes =
            {
                {"name", Namevar},
                {"range", Parameter},
                {"periodmatch", Parameter},
                {"period", Parameter},
                {"repeat", Parameter},
                {"weekday", Parameter},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
