#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& notify_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "notify",
        .doc = "A message in the log of the run.",
        .attributes =
            {
                {"message", Property, "Any", "What to say."},
                {"withpath", Parameter, "Boolean", "Whether the resource is named in it (false)."},
                {"name", Namevar, "String", "A name; the message when there is none."},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
