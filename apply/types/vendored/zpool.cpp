#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& zpool_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "zpool",
        .attributes =
            {
                {"ensure", Property},
                {"disk", Property},
                {"mirror", Property},
                {"raidz", Property},
                {"spare", Property},
                {"log", Property},
                {"cache", Property},
                {"ashift", Property},
                {"autoexpand", Property},
                {"failmode", Property},
                {"pool", Namevar},
                {"raid_parity", Parameter},
                {"provider", Parameter},
            },
        .module = "zfs_core",
    };
    return spec;
}

}  // namespace volley::resource_types
