#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& whit_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "whit",
        .doc = "A point between resources, which Puppet puts into its graphs. Manifests have no use for it.",
        .attributes =
            {
                {"name", Namevar, "String", "A name."},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
