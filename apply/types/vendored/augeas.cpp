#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& augeas_type() {
    static const TypeSpec spec{
        .name = "augeas",
        .properties = {"returns"},
        .parameters =
            {"name", "context", "onlyif", "changes", "root", "load_path", "force", "type_check", "lens",
             "incl", "show_diff", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types
