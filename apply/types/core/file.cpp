#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& file_type() {
    static const TypeSpec spec{
        .name = "file",
        .properties =
            {"ensure", "content", "checksum_value", "target", "owner", "group", "mode", "type", "seluser",
             "selrole", "seltype", "selrange", "ctime", "mtime"},
        .parameters =
            {"path", "backup", "recurse", "recurselimit", "max_files", "replace", "force", "ignore",
             "links", "purge", "sourceselect", "show_diff", "staging_location", "validate_cmd",
             "validate_replacement", "provider", "checksum", "source", "source_permissions",
             "selinux_ignore_defaults"},
        .namevars = {"path"},
        .title = TitleRule::WithoutTrailingSlashes,
    };
    return spec;
}

}  // namespace volley::resource_types
