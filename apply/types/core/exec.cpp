#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& exec_type() {
    static const TypeSpec spec{
        .name = "exec",
        .properties = {"returns"},
        .parameters =
            {"command", "path", "user", "group", "cwd", "logoutput", "refresh", "environment", "umask",
             "timeout", "tries", "try_sleep", "refreshonly", "creates", "unless", "onlyif", "provider"},
        .namevars = {"command"},
        .isomorphic = false,
    };
    return spec;
}

}  // namespace volley::resource_types
