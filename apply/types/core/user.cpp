#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& user_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "user",
        .doc = "A user of the system.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent, role]", "Whether it should exist."},
                {"home", Property, "String", "The home folder."},
                {"uid", Property, "Variant[Integer, String]", "The number."},
                {"gid", Property, "Variant[Integer, String]", "The primary group, by number or name."},
                {"comment", Property, "String", "Who that is."},
                {"shell", Property, "String", "The login shell; it must exist."},
                {"password", Property, "String", "The password, encrypted as the system wants it."},
                {"password_min_age", Property, "Integer", "Days before it may be changed."},
                {"password_max_age", Property, "Integer", "Days before it must be changed."},
                {"password_warn_days", Property, "Integer", "Days of warning before that."},
                {"groups", Property, "Variant[String, Array[String]]", "Further groups."},
                {"roles", Property, "Array[String]", "Roles, on Solaris."},
                {"auths", Property, "Array[String]", "Authorizations, on Solaris."},
                {"profiles", Property, "Array[String]", "Profiles, on Solaris."},
                {"keys", Property, "Variant[String, Array, Hash]", "Further attributes, on Solaris."},
                {"project", Property, "String", "The project, on Solaris."},
                {"expiry", Property, "Variant[String, Enum[absent]]",
                 "When the account expires: YYYY-MM-DD."},
                {"attributes", Property, "Variant[Hash, Array, String]", "Further attributes, on AIX."},
                {"salt", Property, "String", "The password's salt, on macOS."},
                {"iterations", Property, "Integer", "How often the password is hashed, on macOS."},
                {"loginclass", Property, "String", "The login class, on BSD."},
                {"name", Namevar, "String", "The login name."},
                {"membership", Parameter, "Enum[inclusive, minimum]",
                 "Whether groups is the whole list (inclusive) or its least (minimum)."},
                {"system", Parameter, "Boolean", "Whether it is one of the system's (false)."},
                {"allowdupe", Parameter, "Boolean", "Whether the number may be taken already (false)."},
                {"managehome", Parameter, "Boolean",
                 "Whether the home folder comes and goes with the user (false)."},
                {"role_membership", Parameter, "Enum[inclusive, minimum]", "As membership, for roles."},
                {"auth_membership", Parameter, "Enum[inclusive, minimum]",
                 "As membership, for authorizations."},
                {"profile_membership", Parameter, "Enum[inclusive, minimum]", "As membership, for profiles."},
                {"key_membership", Parameter, "Enum[inclusive, minimum]", "As membership, for keys."},
                {"ia_load_module", Parameter, "String", "The I&A module, on AIX."},
                {"attribute_membership", Parameter, "Enum[inclusive, minimum]",
                 "As membership, for attributes."},
                {"forcelocal", Parameter, "Boolean",
                 "Whether only local files count, not a directory service (false)."},
                {"purge_ssh_keys", Parameter, "Variant[Boolean, String, Array[String]]",
                 "Whether authorized keys that nobody manages are removed (false), or from which files."},
                {"provider", Parameter, "String", "What manages it: useradd, aix, pw, ..."},
            },
        .autorequires = "group gid and groups",
    };
    return spec;
}

}  // namespace volley::resource_types
