#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& resources_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "resources",
        .doc = "Says something of all resources of a type.",
        .attributes =
            {
                {"name", Namevar, "String", "The type."},
                {"purge", Parameter, "Boolean", "Whether those that nobody manages are removed (false)."},
                {"unless_system_user", Parameter, "Variant[Boolean, Integer]",
                 "Users up to this number stay."},
                {"unless_uid", Parameter, "Variant[Integer, String, Array]",
                 "Users with these numbers stay."},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
