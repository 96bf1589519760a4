#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& mount_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "mount",
        .attributes =
            {
                {"ensure", Property},
                {"device", Property},
                {"blockdevice", Property},
                {"fstype", Property},
                {"options", Property},
                {"pass", Property},
                {"atboot", Property},
                {"dump", Property},
                {"target", Property},
                {"name", Namevar},
                {"remounts", Parameter},
                {"provider", Parameter},
            },
        .module = "mount_core",
        .autorequires = "mount file systems above it",
        .refreshable = true,
    };
    return spec;
}

}  // namespace volley::resource_types
