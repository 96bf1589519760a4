#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& filebucket_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "filebucket",
        .doc = "A place that keeps files which were overwritten.",
        .attributes =
            {
                {"name", Namevar, "String", "A name."},
                {"server", Parameter, "String", "The server that keeps them; without it, a folder does."},
                {"port", Parameter, "Integer", "The server's port."},
                {"path", Parameter, "Variant[String, Boolean]", "The folder."},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
