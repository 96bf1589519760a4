#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& package_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "package",
        .doc = "A package. Several may have one name when their providers differ.",
        .attributes =
            {
                {"ensure", Property,
                 "Variant[Enum[present, absent, purged, disabled, installed, latest], String]",
                 "installed, absent, purged (with its configuration), latest, or a version."},
                {"package_settings", Property, "Any",
                 "Settings of the package, as the provider understands them."},
                {"flavor", Property, "String", "The flavor, on OpenBSD; the stream of a module of dnf."},
                {"mark", Property, "Enum[hold, none]", "Whether upgrades are held back."},
                {"name", Namevar, "String", "Its name."},
                {"provider", Namevar, "String", "The package manager: apt, dnf, yum, zypper, pip, gem, ..."},
                {"source", Parameter, "String", "Where it comes from: a file or an address."},
                {"instance", Parameter, "String", "Only read."},
                {"status", Parameter, "String", "Only read."},
                {"adminfile", Parameter, "String", "A file with answers, on Solaris."},
                {"responsefile", Parameter, "String", "A file with answers to the package's questions."},
                {"configfiles", Parameter, "Enum[keep, replace]",
                 "Whether changed configuration files stay (keep)."},
                {"category", Parameter, "String", "Only read."},
                {"platform", Parameter, "String", "Only read."},
                {"root", Parameter, "String", "Only read."},
                {"vendor", Parameter, "String", "Only read."},
                {"description", Parameter, "String", "Only read."},
                {"allowcdrom", Parameter, "Boolean", "Whether apt may ask for a disc."},
                {"enable_only", Parameter, "Boolean", "Whether a module of dnf is only enabled (false)."},
                {"install_only", Parameter, "Boolean",
                 "Whether versions are added rather than replaced (false)."},
                {"install_options", Parameter, "Array",
                 "Further options for installing: texts, or hashes of option and value."},
                {"uninstall_options", Parameter, "Array", "Further options for removing."},
                {"allow_virtual", Parameter, "Boolean",
                 "Whether a name that packages provide will do (true)."},
                {"reinstall_on_refresh", Parameter, "Boolean",
                 "Whether it is installed again when notified (false)."},
                {"command", Namevar, "String",
                 "The package manager's program, where it is not the usual one."},
            },
        .autorequires = "file source, responsefile and adminfile",
        .refreshable = true,
    };
    return spec;
}

}  // namespace volley::resource_types
