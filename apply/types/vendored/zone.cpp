#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& zone_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "zone",
        .doc = "A zone of Solaris.",
        .attributes =
            {
                {"ensure", Property, "Enum[absent, configured, installed, running]", "How far it is set up."},
                {"ip", Property, "Variant[String, Array[String]]", "Addresses: INTERFACE:ADDRESS:ROUTER."},
                {"iptype", Property, "Enum[shared, exclusive]", "Whether it shares the network."},
                {"autoboot", Property, "Boolean", "Whether it starts with the machine."},
                {"path", Property, "String", "The folder of its root."},
                {"pool", Property, "String", "The pool of resources."},
                {"shares", Property, "Variant[Integer, String]", "Its share of the processors."},
                {"dataset", Property, "Variant[String, Array[String]]",
                 "Data sets of ZFS that are handed over."},
                {"inherit", Property, "Variant[String, Array[String]]",
                 "Folders that come from the global zone."},
                {"name", Namevar, "String", "Its name."},
                {"id", Parameter, "String", "Its number."},
                {"clone", Parameter, "String", "The zone that it is copied from."},
                {"sysidcfg", Parameter, "String", "The text of its sysidcfg file."},
                {"create_args", Parameter, "String", "Arguments for zonecfg create."},
                {"install_args", Parameter, "String", "Arguments for zoneadm install."},
                {"realhostname", Parameter, "String", "Its host name."},
                {"provider", Parameter, "Enum[solaris]", "What manages it."},
            },
        .module = "zone_core",
        .autorequires = "the folder of its root, and its data sets",
    };
    return spec;
}

}  // namespace volley::resource_types
