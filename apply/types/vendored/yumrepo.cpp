#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& yumrepo_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "yumrepo",
        .attributes =
            {
                {"ensure", Property},
                {"descr", Property},
                {"mirrorlist", Property},
                {"baseurl", Property},
                {"enabled", Property},
                {"gpgcheck", Property},
                {"payload_gpgcheck", Property},
                {"repo_gpgcheck", Property},
                {"gpgkey", Property},
                {"mirrorlist_expire", Property},
                {"include", Property},
                {"exclude", Property},
                {"gpgcakey", Property},
                {"includepkgs", Property},
                {"enablegroups", Property},
                {"module_hotfixes", Property},
                {"failovermethod", Property},
                {"keepalive", Property},
                {"retries", Property},
                {"http_caching", Property},
                {"timeout", Property},
                {"metadata_expire", Property},
                {"protect", Property},
                {"priority", Property},
                {"minrate", Property},
                {"throttle", Property},
                {"bandwidth", Property},
                {"cost", Property},
                {"proxy", Property},
                {"proxy_username", Property},
                {"proxy_password", Property},
                {"s3_enabled", Property},
                {"sslcacert", Property},
                {"sslverify", Property},
                {"sslclientcert", Property},
                {"sslclientkey", Property},
                {"metalink", Property},
                {"skip_if_unavailable", Property},
                {"assumeyes", Property},
                {"deltarpm_percentage", Property},
                {"deltarpm_metadata_percentage", Property},
                {"username", Property},
                {"password", Property},
                {"name", Namevar},
                {"target", Parameter},
                {"provider", Parameter},
            },
        .module = "yumrepo_core",
    };
    return spec;
}

}  // namespace volley::resource_types
