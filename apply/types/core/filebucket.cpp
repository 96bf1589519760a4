#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& filebucket_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "filebucket",
        .attributes =
            {
                {"name", Namevar},
                {"server", Parameter},
                {"port", Parameter},
                {"path", Parameter},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
