#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& sshkey_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "sshkey",
        .attributes =
            {
                {"ensure", Property},
                {"key", Property},
                {"host_aliases", Property},
                {"target", Property},
                {"name", Namevar},
                {"type", Namevar},
                {"provider", Parameter},
            },
        .module = "sshkeys_core",
        .title = TitleRule::NameAtType,
    };
    return spec;
}

}  // namespace volley::resource_types
