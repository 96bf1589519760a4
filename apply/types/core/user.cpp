#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& user_type() {
    static const TypeSpec spec{
        .name = "user",
        .properties =
            {"ensure", "home", "uid", "gid", "comment", "shell", "password", "password_min_age",
             "password_max_age", "password_warn_days", "groups", "expiry", "roles", "auths", "profiles",
             "keys", "project", "attributes", "salt", "iterations", "loginclass"},
        .parameters =
            {"name", "membership", "system", "allowdupe", "managehome", "role_membership",
             "auth_membership", "profile_membership", "key_membership", "ia_load_module",
             "attribute_membership", "forcelocal", "purge_ssh_keys", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types
