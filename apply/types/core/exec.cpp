#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& exec_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "exec",
        .attributes =
            {
                {"returns", Property},
                {"command", Namevar},
                {"path", Parameter},
                {"user", Parameter},
                {"group", Parameter},
                {"cwd", Parameter},
                {"logoutput", Parameter},
                {"refresh", Parameter},
                {"environment", Parameter},
                {"umask", Parameter},
                {"timeout", Parameter},
                {"tries", Parameter},
                {"try_sleep", Parameter},
                {"refreshonly", Parameter},
                {"creates", Parameter},
                {"unless", Parameter},
                {"onlyif", Parameter},
                {"provider", Parameter},
            },
        .autorequires = "file cwd and absolute paths in commands; user user",
        .refreshable = true,
        .isomorphic = false,
    };
    return spec;
}

}  // namespace volley::resource_types
