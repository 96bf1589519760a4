#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& service_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "service",
        .attributes =
            {
                {"ensure", Property},         {"enable", Property},
                {"flags", Property},          {"logonaccount", Property},
                {"logonpassword", Parameter}, {"binary", Parameter},
                {"hasstatus", Parameter},     {"name", Namevar},
                {"path", Parameter},          {"pattern", Parameter},
                {"restart", Parameter},       {"start", Parameter},
                {"status", Parameter},        {"stop", Parameter},
                {"control", Parameter},       {"hasrestart", Parameter},
                {"manifest", Parameter},      {"timeout", Parameter},
                {"provider", Parameter},
            },
        .refreshable = true,
    };
    return spec;
}

}  // namespace volley::resource_types
