#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& mailalias_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "mailalias",
        .doc = "A line of the file of mail aliases.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should exist."},
                {"recipient", Property, "Variant[String, Array[String]]", "Where mail goes. Excludes file."},
                {"file", Property, "String", "A file with recipients."},
                {"target", Property, "String", "The file (/etc/aliases)."},
                {"name", Namevar, "String", "The alias."},
                {"provider", Parameter, "Enum[aliases]", "What manages it."},
            },
        .module = "mailalias_core",
    };
    return spec;
}

}  // namespace volley::resource_types
