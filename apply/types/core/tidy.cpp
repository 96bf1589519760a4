#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& tidy_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "tidy",
        .attributes =
            {
                {"path", Namevar},
                {"recurse", Parameter},
                {"max_files", Parameter},
                {"matches", Parameter},
                {"backup", Parameter},
                {"age", Parameter},
                {"type", Parameter},
                {"size", Parameter},
                {"rmdirs", Parameter},
            },
        .isomorphic = false,
    };
    return spec;
}

}  // namespace volley::resource_types
