#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& mount_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "mount",
        .doc = "A file system, its line in fstab, and whether it is mounted.",
        .attributes =
            {
                {"ensure", Property, "Enum[defined, present, unmounted, absent, mounted]",
                 "In fstab and as it is (defined, present), in fstab and not mounted (unmounted), neither "
                 "(absent), or both (mounted)."},
                {"device", Property, "String", "What is mounted."},
                {"blockdevice", Property, "String", "The device to check, on Solaris."},
                {"fstype", Property, "String", "The kind of file system."},
                {"options", Property, "String", "Options, with commas between."},
                {"pass", Property, "Variant[Integer, String]", "In which turn it is checked."},
                {"atboot", Property, "Variant[Boolean, Enum[yes, no]]",
                 "Whether it is mounted with the system."},
                {"dump", Property, "Variant[Integer, String]", "Whether it is dumped."},
                {"target", Property, "String", "The table (/etc/fstab)."},
                {"name", Namevar, "String", "Where it is mounted."},
                {"remounts", Parameter, "Boolean", "Whether it can be remounted in place."},
                {"provider", Parameter, "Enum[parsed, aix]", "What manages it."},
            },
        .module = "mount_core",
        .autorequires = "mount file systems above it",
        .refreshable = true,
    };
    return spec;
}

}  // namespace volley::resource_types
