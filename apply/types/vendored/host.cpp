#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& host_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "host",
        .attributes =
            {
                {"ensure", Property},
                {"ip", Property},
                {"host_aliases", Property},
                {"comment", Property},
                {"target", Property},
                {"name", Namevar},
                {"provider", Parameter},
            },
        .module = "host_core",
    };
    return spec;
}

}  // namespace volley::resource_types
