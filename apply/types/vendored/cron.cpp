#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& cron_type() {
    static const TypeSpec spec{
        .name = "cron",
        .properties =
            {"ensure", "command", "special", "minute", "hour", "weekday", "month", "monthday",
             "environment", "user", "target"},
        .parameters = {"name", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types
