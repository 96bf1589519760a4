#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& user_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "user",
        .attributes =
            {
                {"ensure", Property},
                {"home", Property},
                {"uid", Property},
                {"gid", Property},
                {"comment", Property},
                {"shell", Property},
                {"password", Property},
                {"password_min_age", Property},
                {"password_max_age", Property},
                {"password_warn_days", Property},
                {"groups", Property},
                {"roles", Property},
                {"auths", Property},
                {"profiles", Property},
                {"keys", Property},
                {"project", Property},
                {"expiry", Property},
                {"attributes", Property},
                {"salt", Property},
                {"iterations", Property},
                {"loginclass", Property},
                {"name", Namevar},
                {"membership", Parameter},
                {"system", Parameter},
                {"allowdupe", Parameter},
                {"managehome", Parameter},
                {"role_membership", Parameter},
                {"auth_membership", Parameter},
                {"profile_membership", Parameter},
                {"key_membership", Parameter},
                {"ia_load_module", Parameter},
                {"attribute_membership", Parameter},
                {"forcelocal", Parameter},
                {"purge_ssh_keys", Parameter},
                {"provider", Parameter},
            },
        .autorequires = "group gid and groups",
    };
    return spec;
}

}  // namespace volley::resource_types
