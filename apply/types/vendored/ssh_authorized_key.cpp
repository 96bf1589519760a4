#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& ssh_authorized_key_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "ssh_authorized_key",
        .attributes =
            {
                {"ensure", Property},
                {"type", Property},
                {"key", Property},
                {"user", Property},
                {"target", Property},
                {"options", Property},
                {"name", Namevar},
                {"drop_privileges", Parameter},
                {"provider", Parameter},
            },
        .module = "sshkeys_core",
        .autorequires = "user user",
    };
    return spec;
}

}  // namespace volley::resource_types
