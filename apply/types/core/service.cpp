#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& service_type() {
    static const TypeSpec spec{
        .name = "service",
        .properties = {"ensure", "enable", "logonaccount", "flags"},
        .parameters =
            {"logonpassword", "binary", "hasstatus", "name", "path", "pattern", "restart", "start",
             "status", "stop", "control", "hasrestart", "manifest", "timeout", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types
