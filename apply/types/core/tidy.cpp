#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& tidy_type() {
    static const TypeSpec spec{
        .name = "tidy",
        .parameters = {"path", "recurse", "max_files", "matches", "backup", "age", "size", "type", "rmdirs"},
        .namevars = {"path"},
        .isomorphic = false,
    };
    return spec;
}

}  // namespace volley::resource_types
