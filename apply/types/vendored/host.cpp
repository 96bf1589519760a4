#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& host_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "host",
        .doc = "A line of the hosts file.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should exist."},
                {"ip", Property, "String", "The address."},
                {"host_aliases", Property, "Variant[String, Array[String]]", "Further names."},
                {"comment", Property, "String", "A comment at the end of the line."},
                {"target", Property, "String", "The file (/etc/hosts)."},
                {"name", Namevar, "String", "The name."},
                {"provider", Parameter, "Enum[parsed]", "What manages it."},
            },
        .module = "host_core",
    };
    return spec;
}

}  // namespace volley::resource_types
