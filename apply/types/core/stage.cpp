#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& stage_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "stage",
        .doc = "A step of the run: stages are ordered, and each class belongs to one.",
        .attributes =
            {
                {"name", Namevar, "String", "Its name."},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
