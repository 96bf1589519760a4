#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& group_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "group",
        .doc = "A group of the system.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should exist."},
                {"gid", Property, "Variant[Integer, String]", "Its number."},
                {"members", Property, "Variant[String, Array[String]]",
                 "Who belongs to it, where the provider can say so."},
                {"attributes", Property, "Variant[Hash, Array, String]", "Further attributes, on AIX."},
                {"name", Namevar, "String", "Its name."},
                {"auth_membership", Parameter, "Boolean",
                 "Whether members is the whole list (true) or its least (false)."},
                {"ia_load_module", Parameter, "String", "The I&A module, on AIX."},
                {"attribute_membership", Parameter, "Enum[inclusive, minimum]",
                 "As auth_membership, for attributes."},
                {"allowdupe", Parameter, "Boolean", "Whether the number may be taken already (false)."},
                {"system", Parameter, "Boolean", "Whether it is one of the system's (false)."},
                {"forcelocal", Parameter, "Boolean",
                 "Whether only local files count, not a directory service (false)."},
                {"provider", Parameter, "String", "What manages it: groupadd, aix, pw, ..."},
            },
        .autorequires = "user members",
    };
    return spec;
}

}  // namespace volley::resource_types
