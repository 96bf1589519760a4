#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& zpool_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "zpool",
        .doc = "A pool of ZFS. Its disks cannot be changed later.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should exist."},
                {"disk", Property, "Variant[String, Array[String]]", "Its disks."},
                {"mirror", Property, "Variant[String, Array[String]]",
                 "Disks that mirror each other: a text for each group, with blanks between disks."},
                {"raidz", Property, "Variant[String, Array[String]]",
                 "Disks with parity: a text for each group."},
                {"spare", Property, "Variant[String, Array[String]]", "Spare disks."},
                {"log", Property, "Variant[String, Array[String]]", "Disks for the log."},
                {"cache", Property, "Variant[String, Array[String]]", "Disks for caching."},
                {"ashift", Property, "Variant[Integer, String]", "The size of a sector, as a power of two."},
                {"autoexpand", Property, "Variant[Boolean, String]", "Whether it grows with its disks."},
                {"failmode", Property, "Enum[wait, continue, panic]", "What happens when disks fail."},
                {"pool", Namevar, "String", "Its name."},
                {"raid_parity", Parameter, "Enum[raidz1, raidz2]", "How many parities there are."},
                {"provider", Parameter, "Enum[zpool]", "What manages it."},
            },
        .module = "zfs_core",
    };
    return spec;
}

}  // namespace volley::resource_types
