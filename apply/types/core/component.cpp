#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& component_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "component",
        .doc =
            "What Puppet calls the container of a defined type inside of a catalog. Manifests have no use "
            "for it.",
        .attributes =
            {
                {"name", Namevar, "String", "A name."},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
