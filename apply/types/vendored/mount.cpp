#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& mount_type() {
    static const TypeSpec spec{
        .name = "mount",
        .properties =
            {"ensure", "device", "blockdevice", "fstype", "options", "pass", "atboot", "dump", "target"},
        .parameters = {"name", "remounts", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types
