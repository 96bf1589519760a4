#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& file_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "file",
        .attributes =
            {
                {"ensure", Property},
                {"content", Property},
                {"checksum_value", Property},
                {"target", Property},
                {"owner", Property},
                {"group", Property},
                {"mode", Property},
                {"type", Property},
                {"seluser", Property},
                {"selrole", Property},
                {"seltype", Property},
                {"selrange", Property},
                {"ctime", Property},
                {"mtime", Property},
                {"path", Namevar},
                {"backup", Parameter},
                {"recurse", Parameter},
                {"recurselimit", Parameter},
                {"max_files", Parameter},
                {"replace", Parameter},
                {"force", Parameter},
                {"ignore", Parameter},
                {"links", Parameter},
                {"purge", Parameter},
                {"sourceselect", Parameter},
                {"show_diff", Parameter},
                {"staging_location", Parameter},
                {"validate_cmd", Parameter},
                {"validate_replacement", Parameter},
                {"provider", Parameter},
                {"checksum", Parameter},
                {"source", Parameter},
                {"source_permissions", Parameter},
                {"selinux_ignore_defaults", Parameter},
            },
        .autorequires = "file the nearest parent folder and target; user owner; group group",
        .title = TitleRule::WithoutTrailingSlashes,
    };
    return spec;
}

}  // namespace volley::resource_types
