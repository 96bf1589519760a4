#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& zfs_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "zfs",
        .attributes =
            {
                {"ensure", Property},
                {"aclinherit", Property},
                {"aclmode", Property},
                {"acltype", Property},
                {"atime", Property},
                {"canmount", Property},
                {"checksum", Property},
                {"compression", Property},
                {"copies", Property},
                {"dedup", Property},
                {"defaultuserquota", Property},
                {"devices", Property},
                {"exec", Property},
                {"logbias", Property},
                {"mountpoint", Property},
                {"nbmand", Property},
                {"overlay", Property},
                {"primarycache", Property},
                {"quota", Property},
                {"readonly", Property},
                {"recordsize", Property},
                {"refquota", Property},
                {"refreservation", Property},
                {"relatime", Property},
                {"reservation", Property},
                {"secondarycache", Property},
                {"setuid", Property},
                {"shareiscsi", Property},
                {"sharenfs", Property},
                {"sharesmb", Property},
                {"snapdir", Property},
                {"sync", Property},
                {"version", Property},
                {"volsize", Property},
                {"vscan", Property},
                {"xattr", Property},
                {"zoned", Property},
                {"name", Namevar},
                {"provider", Parameter},
            },
        .module = "zfs_core",
        .autorequires = "the pool, and the file systems above it",
    };
    return spec;
}

}  // namespace volley::resource_types
