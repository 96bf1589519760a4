#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& selmodule_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "selmodule",
        .doc = "A module of the SELinux policy.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should be loaded."},
                {"syncversion", Property, "Boolean",
                 "Whether it is loaded again when its version differs from the file's."},
                {"name", Namevar, "String", "Its name."},
                {"selmoduledir", Parameter, "String", "The folder with the module's file."},
                {"selmodulepath", Parameter, "String", "The module's file."},
                {"provider", Parameter, "Enum[semodule]", "What manages it."},
            },
        .module = "selinux_core",
        .autorequires = "file selmodulepath",
    };
    return spec;
}

}  // namespace volley::resource_types
