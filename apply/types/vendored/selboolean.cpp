#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& selboolean_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "selboolean",
        .doc = "A boolean of the SELinux policy.",
        .attributes =
            {
                {"value", Property, "Variant[Boolean, Enum[on, off]]", "Whether it is on."},
                {"name", Namevar, "String", "Its name."},
                {"persistent", Parameter, "Boolean", "Whether it stays so after a restart (false)."},
                {"provider", Parameter, "Enum[getsetsebool]", "What manages it."},
            },
        .module = "selinux_core",
    };
    return spec;
}

}  // namespace volley::resource_types
