#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& augeas_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "augeas",
        .attributes =
            {
                {"returns", Property},
                {"name", Namevar},
                {"context", Parameter},
                {"onlyif", Parameter},
                {"changes", Parameter},
                {"root", Parameter},
                {"load_path", Parameter},
                {"force", Parameter},
                {"type_check", Parameter},
                {"lens", Parameter},
                {"incl", Parameter},
                {"show_diff", Parameter},
                {"provider", Parameter},
            },
        .module = "augeas_core",
    };
    return spec;
}

}  // namespace volley::resource_types
