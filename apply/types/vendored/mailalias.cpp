#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& mailalias_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "mailalias",
        .attributes =
            {
                {"ensure", Property},
                {"recipient", Property},
                {"file", Property},
                {"target", Property},
                {"name", Namevar},
                {"provider", Parameter},
            },
        .module = "mailalias_core",
    };
    return spec;
}

}  // namespace volley::resource_types
