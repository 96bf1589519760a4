#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& package_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "package",
        .attributes =
            {
                {"ensure", Property},
                {"package_settings", Property},
                {"flavor", Property},
                {"mark", Property},
                {"name", Namevar},
                {"provider", Namevar, "String", "The package manager: apt, dnf, yum, zypper, pip, gem, ..."},
                {"source", Parameter},
                {"instance", Parameter},
                {"status", Parameter},
                {"adminfile", Parameter},
                {"responsefile", Parameter},
                {"configfiles", Parameter},
                {"category", Parameter},
                {"platform", Parameter},
                {"root", Parameter},
                {"vendor", Parameter},
                {"description", Parameter},
                {"allowcdrom", Parameter},
                {"enable_only", Parameter},
                {"install_only", Parameter},
                {"install_options", Parameter},
                {"uninstall_options", Parameter},
                {"allow_virtual", Parameter},
                {"reinstall_on_refresh", Parameter},
                {"command", Namevar},
            },
        .autorequires = "file source, responsefile and adminfile",
        .refreshable = true,
    };
    return spec;
}

}  // namespace volley::resource_types
