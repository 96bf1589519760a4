#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& package_type() {
    static const TypeSpec spec{
        .name = "package",
        .properties = {"ensure", "package_settings", "flavor", "mark"},
        .parameters =
            {"name", "provider", "command", "source", "instance", "status", "adminfile", "responsefile",
             "configfiles", "category", "platform", "root", "vendor", "description", "allowcdrom",
             "enable_only", "install_only", "install_options", "uninstall_options", "allow_virtual",
             "reinstall_on_refresh"},
        .namevars = {"command", "name", "provider"},
    };
    return spec;
}

}  // namespace volley::resource_types
