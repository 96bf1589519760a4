#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& sshkey_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "sshkey",
        .doc = "A known host key.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should exist."},
                {"key", Property, "String", "The key itself."},
                {"host_aliases", Property, "Variant[String, Array[String]]", "Further names of the host."},
                {"target", Property, "String", "The file (/etc/ssh/ssh_known_hosts)."},
                {"name", Namevar, "String", "The host. A title \"NAME@TYPE\" sets both."},
                {"type", Namevar,
                 "Enum[ssh-dss, ssh-ed25519, ssh-rsa, ecdsa-sha2-nistp256, ecdsa-sha2-nistp384, "
                 "ecdsa-sha2-nistp521, 'sk-ecdsa-sha2-nistp256@openssh.com', 'sk-ssh-ed25519@openssh.com', "
                 "dsa, ed25519, rsa, ecdsa-sk, ed25519-sk]",
                 "The kind of key."},
                {"provider", Parameter, "Enum[parsed]", "What manages it."},
            },
        .module = "sshkeys_core",
        .title = TitleRule::NameAtType,
    };
    return spec;
}

}  // namespace volley::resource_types
