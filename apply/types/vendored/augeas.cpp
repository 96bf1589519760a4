#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& augeas_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "augeas",
        .doc = "Changes configuration files through Augeas.",
        .attributes =
            {
                {"returns", Property, "Any", "Used by the type itself."},
                {"name", Namevar, "String", "A name."},
                {"context", Parameter, "String",
                 "The path that others are relative to; \"/files\" and incl when incl is given."},
                {"onlyif", Parameter, "String",
                 "A condition: \"get PATH == VALUE\", \"match PATH size > 0\", \"values PATH include "
                 "VALUE\"."},
                {"changes", Parameter, "Variant[String, Array[String]]",
                 "Commands such as \"set PATH VALUE\", \"rm PATH\", \"ins LABEL before PATH\"."},
                {"root", Parameter, "String", "The folder that is taken for / (\"/\")."},
                {"load_path", Parameter, "Variant[String, Array[String]]", "Folders with further lenses."},
                {"force", Parameter, "Boolean",
                 "Whether changes are tried though nothing seems to differ (false)."},
                {"type_check", Parameter, "Boolean", "Whether lenses are type checked (false)."},
                {"lens", Parameter, "String", "The lens for incl."},
                {"incl", Parameter, "String", "The only file to load."},
                {"show_diff", Parameter, "Boolean", "Whether the difference may be shown (true)."},
                {"provider", Parameter, "Enum[augeas]", "What manages it."},
            },
        .module = "augeas_core",
    };
    return spec;
}

}  // namespace volley::resource_types
