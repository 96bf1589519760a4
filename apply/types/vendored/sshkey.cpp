#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& sshkey_type() {
    static const TypeSpec spec{
        .name = "sshkey",
        .properties = {"ensure", "key", "host_aliases", "target"},
        .parameters = {"type", "name", "provider"},
        .namevars = {"name", "type"},
        .title = TitleRule::NameAtType,
    };
    return spec;
}

}  // namespace volley::resource_types
