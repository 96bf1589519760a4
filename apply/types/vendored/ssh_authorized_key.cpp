#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& ssh_authorized_key_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "ssh_authorized_key",
        .doc = "A key that may log in as a user.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should exist."},
                {"type", Property,
                 "Enum[ssh-dss, ssh-rsa, ecdsa-sha2-nistp256, ecdsa-sha2-nistp384, ecdsa-sha2-nistp521, "
                 "ssh-ed25519, 'sk-ecdsa-sha2-nistp256@openssh.com', 'sk-ssh-ed25519@openssh.com', dsa, rsa, "
                 "ed25519, ecdsa-sk, ed25519-sk]",
                 "The kind of key."},
                {"key", Property, "String", "The key itself, without spaces."},
                {"user", Property, "String", "Whose it is."},
                {"target", Property, "String", "The file, when it is not ~/.ssh/authorized_keys."},
                {"options", Property, "Variant[String, Array[String]]", "Options in front of the key."},
                {"name", Namevar, "String", "The key's comment."},
                {"drop_privileges", Parameter, "Boolean", "Whether the file is written as the user (true)."},
                {"provider", Parameter, "Enum[parsed]", "What manages it."},
            },
        .module = "sshkeys_core",
        .autorequires = "user user",
    };
    return spec;
}

}  // namespace volley::resource_types
