#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& cron_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "cron",
        .attributes =
            {
                {"ensure", Property},
                {"command", Property},
                {"special", Property},
                {"minute", Property},
                {"hour", Property},
                {"weekday", Property},
                {"month", Property},
                {"monthday", Property},
                {"environment", Property},
                {"user", Property},
                {"target", Property},
                {"name", Namevar},
                {"provider", Parameter},
            },
        .module = "cron_core",
        .autorequires = "user user",
    };
    return spec;
}

}  // namespace volley::resource_types
