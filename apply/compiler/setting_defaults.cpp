#include "apply/compiler/setting_defaults.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

#include "support/text.hpp"

namespace volley {
namespace {

enum class SettingKind : std::uint8_t { Text, Boolean, Integer, Infinity, Nothing, List };

struct SettingDefault {
    std::string_view name;
    SettingKind kind;
    std::string_view text;  // may begin with $confdir and so on; a list is divided by spaces
};

/// Puppet's own settings in its order, as an agent of the packages has them for root.
constexpr auto setting_defaults = std::to_array<SettingDefault>({
    {"confdir", SettingKind::Text, "$confdir"},
    {"codedir", SettingKind::Text, "$codedir"},
    {"vardir", SettingKind::Text, "$vardir"},
    {"logdir", SettingKind::Text, "$logdir"},
    {"log_level", SettingKind::Text, "notice"},
    {"disable_warnings", SettingKind::List, ""},
    {"merge_dependency_warnings", SettingKind::Boolean, "false"},
    {"strict", SettingKind::Text, "warning"},
    {"disable_i18n", SettingKind::Boolean, "true"},
    {"priority", SettingKind::Nothing, ""},
    {"trace", SettingKind::Boolean, "false"},
    {"puppet_trace", SettingKind::Boolean, "false"},
    {"profile", SettingKind::Boolean, "false"},
    {"versioned_environment_dirs", SettingKind::Boolean, "false"},
    {"static_catalogs", SettingKind::Boolean, "true"},
    {"settings_catalog", SettingKind::Boolean, "true"},
    {"strict_environment_mode", SettingKind::Boolean, "false"},
    {"autoflush", SettingKind::Boolean, "true"},
    {"syslogfacility", SettingKind::Text, "daemon"},
    {"statedir", SettingKind::Text, "$vardir/state"},
    {"rundir", SettingKind::Text, "$rundir"},
    {"genconfig", SettingKind::Boolean, "false"},
    {"genmanifest", SettingKind::Boolean, "false"},
    {"configprint", SettingKind::Text, ""},
    {"color", SettingKind::Text, "ansi"},
    {"mkusers", SettingKind::Boolean, "false"},
    {"manage_internal_file_permissions", SettingKind::Boolean, "true"},
    {"onetime", SettingKind::Boolean, "false"},
    {"path", SettingKind::Text, "none"},
    {"libdir", SettingKind::Text, "$vardir/lib"},
    {"environment", SettingKind::Text, "production"},
    {"environmentpath", SettingKind::Text, "$codedir/environments"},
    {"use_last_environment", SettingKind::Boolean, "true"},
    {"always_retry_plugins", SettingKind::Boolean, "true"},
    {"diff_args", SettingKind::Text, "-u"},
    {"diff", SettingKind::Text, "diff"},
    {"show_diff", SettingKind::Boolean, "false"},
    {"daemonize", SettingKind::Boolean, "true"},
    {"maximum_uid", SettingKind::Integer, "4294967290"},
    {"route_file", SettingKind::Text, "$confdir/routes.yaml"},
    {"node_terminus", SettingKind::Text, "plain"},
    {"node_cache_terminus", SettingKind::Nothing, ""},
    {"data_binding_terminus", SettingKind::Text, "hiera"},
    {"hiera_config", SettingKind::Text, "$confdir/hiera.yaml"},
    {"binder_config", SettingKind::Nothing, ""},
    {"catalog_terminus", SettingKind::Text, "compiler"},
    {"catalog_cache_terminus", SettingKind::Nothing, ""},
    {"facts_terminus", SettingKind::Text, "facter"},
    {"trusted_external_command", SettingKind::Nothing, ""},
    {"default_file_terminus", SettingKind::Text, "rest"},
    {"http_proxy_host", SettingKind::Text, "none"},
    {"http_proxy_port", SettingKind::Integer, "3128"},
    {"http_proxy_user", SettingKind::Text, "none"},
    {"http_proxy_password", SettingKind::Text, "none"},
    {"no_proxy", SettingKind::Text, "localhost, 127.0.0.1"},
    {"http_keepalive_timeout", SettingKind::Integer, "4"},
    {"http_debug", SettingKind::Boolean, "false"},
    {"http_connect_timeout", SettingKind::Integer, "120"},
    {"http_read_timeout", SettingKind::Integer, "600"},
    {"http_user_agent", SettingKind::Text, "Puppet/7.23.0"},
    {"filetimeout", SettingKind::Integer, "15"},
    {"environment_timeout", SettingKind::Integer, "0"},
    {"environment_data_provider", SettingKind::Nothing, ""},
    {"prerun_command", SettingKind::Text, ""},
    {"postrun_command", SettingKind::Text, ""},
    {"freeze_main", SettingKind::Boolean, "false"},
    {"preview_outputdir", SettingKind::Text, "$vardir/preview"},
    {"location_trusted", SettingKind::Boolean, "false"},
    {"module_repository", SettingKind::Text, "https://forgeapi.puppet.com"},
    {"module_working_dir", SettingKind::Text, "$vardir/puppet-module"},
    {"forge_authorization", SettingKind::Nothing, ""},
    {"module_groups", SettingKind::Nothing, ""},
    {"certname", SettingKind::Text, "$certname"},
    {"dns_alt_names", SettingKind::Text, ""},
    {"csr_attributes", SettingKind::Text, "$confdir/csr_attributes.yaml"},
    {"certdir", SettingKind::Text, "$confdir/ssl/certs"},
    {"ssldir", SettingKind::Text, "$confdir/ssl"},
    {"ssl_lockfile", SettingKind::Text, "$confdir/ssl/ssl.lock"},
    {"publickeydir", SettingKind::Text, "$confdir/ssl/public_keys"},
    {"requestdir", SettingKind::Text, "$confdir/ssl/certificate_requests"},
    {"privatekeydir", SettingKind::Text, "$confdir/ssl/private_keys"},
    {"privatedir", SettingKind::Text, "$confdir/ssl/private"},
    {"passfile", SettingKind::Text, "$confdir/ssl/private/password"},
    {"hostcsr", SettingKind::Text, "$confdir/ssl/certificate_requests/$certname.pem"},
    {"hostcert", SettingKind::Text, "$confdir/ssl/certs/$certname.pem"},
    {"hostprivkey", SettingKind::Text, "$confdir/ssl/private_keys/$certname.pem"},
    {"hostpubkey", SettingKind::Text, "$confdir/ssl/public_keys/$certname.pem"},
    {"localcacert", SettingKind::Text, "$confdir/ssl/certs/ca.pem"},
    {"ca_fingerprint", SettingKind::Nothing, ""},
    {"ssl_trust_store", SettingKind::Nothing, ""},
    {"hostcrl", SettingKind::Text, "$confdir/ssl/crl.pem"},
    {"certificate_revocation", SettingKind::Text, "chain"},
    {"ciphers", SettingKind::Text,
     "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM"
     "-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHAC"
     "HA20-POLY1305:DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-CHACHA"
     "20-POLY1305:ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128"
     "-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384:ECDH"
     "E-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA:DHE-RSA-AES128-SHA256:DHE-RSA-AES256-SHA"
     "256:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA256:AES256-SHA256"},
    {"key_type", SettingKind::Text, "rsa"},
    {"named_curve", SettingKind::Text, "prime256v1"},
    {"digest_algorithm", SettingKind::Text, "sha256"},
    {"supported_checksum_types", SettingKind::List, "sha256 sha384 sha512 sha224 md5"},
    {"logdest", SettingKind::Nothing, ""},
    {"ca_name", SettingKind::Text, "Puppet CA: $certname"},
    {"cadir", SettingKind::Text, "$cadir"},
    {"cacert", SettingKind::Text, "$cadir/ca_crt.pem"},
    {"cakey", SettingKind::Text, "$cadir/ca_key.pem"},
    {"capub", SettingKind::Text, "$cadir/ca_pub.pem"},
    {"cacrl", SettingKind::Text, "$cadir/ca_crl.pem"},
    {"csrdir", SettingKind::Text, "$cadir/requests"},
    {"signeddir", SettingKind::Text, "$cadir/signed"},
    {"serial", SettingKind::Text, "$cadir/serial"},
    {"autosign", SettingKind::Text, "$confdir/autosign.conf"},
    {"allow_duplicate_certs", SettingKind::Boolean, "false"},
    {"ca_ttl", SettingKind::Integer, "157680000"},
    {"crl_refresh_interval", SettingKind::Nothing, ""},
    {"keylength", SettingKind::Integer, "4096"},
    {"cert_inventory", SettingKind::Text, "$cadir/inventory.txt"},
    {"config_file_name", SettingKind::Text, "puppet.conf"},
    {"config", SettingKind::Text, "$confdir/puppet.conf"},
    {"pidfile", SettingKind::Text, "$rundir/user.pid"},
    {"sourceaddress", SettingKind::Nothing, ""},
    {"manifest", SettingKind::Nothing, ""},
    {"modulepath", SettingKind::Text, ""},
    {"config_version", SettingKind::Text, ""},
    {"user", SettingKind::Text, "puppet"},
    {"group", SettingKind::Text, "puppet"},
    {"default_manifest", SettingKind::Text, "./manifests"},
    {"disable_per_environment_manifest", SettingKind::Boolean, "false"},
    {"code", SettingKind::Text, ""},
    {"masterport", SettingKind::Integer, "8140"},
    {"serverport", SettingKind::Integer, "8140"},
    {"bucketdir", SettingKind::Text, "$vardir/bucket"},
    {"trusted_oid_mapping_file", SettingKind::Text, "$confdir/custom_trusted_oid_mapping.yaml"},
    {"basemodulepath", SettingKind::Text, "$codedir/modules:/opt/puppetlabs/puppet/modules"},
    {"vendormoduledir", SettingKind::Text, "/opt/puppetlabs/puppet/vendor_modules"},
    {"ssl_client_header", SettingKind::Text, "HTTP_X_CLIENT_DN"},
    {"ssl_client_verify_header", SettingKind::Text, "HTTP_X_CLIENT_VERIFY"},
    {"yamldir", SettingKind::Text, "$vardir/yaml"},
    {"server_datadir", SettingKind::Text, "$vardir/server_data"},
    {"reports", SettingKind::Text, "store"},
    {"exclude_unchanged_resources", SettingKind::Boolean, "false"},
    {"reportdir", SettingKind::Text, "$vardir/reports"},
    {"reporturl", SettingKind::Text, "http://localhost:3000/reports/upload"},
    {"fileserverconfig", SettingKind::Text, "$confdir/fileserver.conf"},
    {"devicedir", SettingKind::Text, "$vardir/devices"},
    {"deviceconfig", SettingKind::Text, "$confdir/device.conf"},
    {"node_name_value", SettingKind::Text, "$certname"},
    {"node_name_fact", SettingKind::Text, ""},
    {"statefile", SettingKind::Text, "$vardir/state/state.yaml"},
    {"statettl", SettingKind::Integer, "2764800"},
    {"transactionstorefile", SettingKind::Text, "$vardir/state/transactionstore.yaml"},
    {"clientyamldir", SettingKind::Text, "$vardir/client_yaml"},
    {"client_datadir", SettingKind::Text, "$vardir/client_data"},
    {"write_catalog_summary", SettingKind::Boolean, "true"},
    {"classfile", SettingKind::Text, "$vardir/state/classes.txt"},
    {"resourcefile", SettingKind::Text, "$vardir/state/resources.txt"},
    {"puppetdlog", SettingKind::Text, "$logdir/puppetd.log"},
    {"deviceconfdir", SettingKind::Text, "$confdir/devices"},
    {"server", SettingKind::Text, "puppet"},
    {"server_list", SettingKind::List, ""},
    {"use_srv_records", SettingKind::Boolean, "false"},
    {"srv_domain", SettingKind::Nothing, ""},
    {"http_extra_headers", SettingKind::List, ""},
    {"ignoreschedules", SettingKind::Boolean, "false"},
    {"default_schedules", SettingKind::Boolean, "true"},
    {"noop", SettingKind::Boolean, "false"},
    {"runinterval", SettingKind::Integer, "1800"},
    {"runtimeout", SettingKind::Integer, "3600"},
    {"ca_server", SettingKind::Text, "puppet"},
    {"ca_port", SettingKind::Integer, "8140"},
    {"preferred_serialization_format", SettingKind::Text, "json"},
    {"agent_catalog_run_lockfile", SettingKind::Text, "$vardir/state/agent_catalog_run.lock"},
    {"agent_disabled_lockfile", SettingKind::Text, "$vardir/state/agent_disabled.lock"},
    {"usecacheonfailure", SettingKind::Boolean, "true"},
    {"include_legacy_facts", SettingKind::Boolean, "true"},
    {"fact_name_length_soft_limit", SettingKind::Integer, "2560"},
    {"fact_value_length_soft_limit", SettingKind::Integer, "4096"},
    {"top_level_facts_soft_limit", SettingKind::Integer, "512"},
    {"number_of_facts_soft_limit", SettingKind::Integer, "2048"},
    {"payload_soft_limit", SettingKind::Integer, "16777216"},
    {"use_cached_catalog", SettingKind::Boolean, "false"},
    {"ignoremissingtypes", SettingKind::Boolean, "false"},
    {"splaylimit", SettingKind::Integer, "1800"},
    {"splay", SettingKind::Boolean, "false"},
    {"clientbucketdir", SettingKind::Text, "$vardir/clientbucket"},
    {"report_server", SettingKind::Text, "puppet"},
    {"report_port", SettingKind::Integer, "8140"},
    {"report", SettingKind::Boolean, "true"},
    {"report_include_system_store", SettingKind::Boolean, "false"},
    {"resubmit_facts", SettingKind::Boolean, "false"},
    {"publicdir", SettingKind::Text, "$publicdir"},
    {"lastrunfile", SettingKind::Text, "$publicdir/last_run_summary.yaml"},
    {"lastrunreport", SettingKind::Text, "$vardir/state/last_run_report.yaml"},
    {"graph", SettingKind::Boolean, "false"},
    {"graphdir", SettingKind::Text, "$vardir/state/graphs"},
    {"waitforcert", SettingKind::Integer, "120"},
    {"maxwaitforcert", SettingKind::Infinity, ""},
    {"waitforlock", SettingKind::Integer, "0"},
    {"maxwaitforlock", SettingKind::Integer, "60"},
    {"plugindest", SettingKind::Text, "$vardir/lib"},
    {"pluginsource", SettingKind::Text, "puppet:///plugins"},
    {"pluginfactdest", SettingKind::Text, "$vardir/facts.d"},
    {"pluginfactsource", SettingKind::Text, "puppet:///pluginfacts"},
    {"localedest", SettingKind::Text, "$vardir/locales"},
    {"localesource", SettingKind::Text, "puppet:///locales"},
    {"pluginsync", SettingKind::Boolean, "true"},
    {"pluginsignore", SettingKind::Text, ".svn CVS .git .hg"},
    {"ignore_plugin_errors", SettingKind::Boolean, "false"},
    {"factpath", SettingKind::Text, "$vardir/lib/facter:$vardir/facts"},
    {"tags", SettingKind::Text, ""},
    {"skip_tags", SettingKind::Text, ""},
    {"evaltrace", SettingKind::Boolean, "false"},
    {"preprocess_deferred", SettingKind::Boolean, "true"},
    {"summarize", SettingKind::Boolean, "false"},
    {"external_nodes", SettingKind::Text, "none"},
    {"ldapssl", SettingKind::Boolean, "false"},
    {"ldaptls", SettingKind::Boolean, "false"},
    {"ldapserver", SettingKind::Text, "ldap"},
    {"ldapport", SettingKind::Integer, "389"},
    {"ldapstring", SettingKind::Text, "(&(objectclass=puppetClient)(cn=%s))"},
    {"ldapclassattrs", SettingKind::Text, "puppetclass"},
    {"ldapstackedattrs", SettingKind::Text, "puppetvar"},
    {"ldapattrs", SettingKind::Text, "all"},
    {"ldapparentattr", SettingKind::Text, "parentnode"},
    {"ldapuser", SettingKind::Text, ""},
    {"ldappassword", SettingKind::Text, ""},
    {"ldapbase", SettingKind::Text, ""},
    {"storeconfigs", SettingKind::Boolean, "false"},
    {"storeconfigs_backend", SettingKind::Text, "puppetdb"},
    {"max_errors", SettingKind::Integer, "10"},
    {"max_warnings", SettingKind::Integer, "10"},
    {"max_deprecations", SettingKind::Integer, "10"},
    {"strict_variables", SettingKind::Boolean, "false"},
    {"tasks", SettingKind::Boolean, "false"},
    {"document_all", SettingKind::Boolean, "false"},
    {"rich_data", SettingKind::Boolean, "true"},
});

constexpr auto setting_folders = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"$confdir", "/etc/puppetlabs/puppet"},
    {"$codedir", "/etc/puppetlabs/code"},
    {"$vardir", "/opt/puppetlabs/puppet/cache"},
    {"$rundir", "/var/run/puppetlabs"},
    {"$logdir", "/var/log/puppetlabs/puppet"},
    {"$publicdir", "/opt/puppetlabs/puppet/public"},
    {"$cadir", "/etc/puppetlabs/puppetserver/ca"},
});

std::string filled_in(std::string_view text, const std::string& certname) {
    std::string result;
    while (!text.empty()) {
        const std::size_t mark = std::min(text.find('$'), text.size());
        result += text.substr(0, mark);
        text.remove_prefix(mark);
        if (text.empty()) break;
        if (text.starts_with("$certname")) {
            result += certname;
            text.remove_prefix(9);
            continue;
        }
        for (const auto& [name, folder] : setting_folders) {
            if (!text.starts_with(name)) continue;
            result += folder;
            text.remove_prefix(name.size());
            break;
        }
    }
    return result;
}

Value default_of_setting(const SettingDefault& setting, const std::string& certname) {
    switch (setting.kind) {
        case SettingKind::Boolean:
            return Value(setting.text == "true");
        case SettingKind::Integer: {
            std::int64_t number = 0;
            std::from_chars(setting.text.data(), setting.text.data() + setting.text.size(), number);
            return Value(number);
        }
        case SettingKind::Infinity:
            return Value(std::numeric_limits<double>::infinity());
        case SettingKind::Nothing:
            return {};
        case SettingKind::List: {
            std::vector<Value> items;
            for (const std::string& word : split(setting.text, ' ')) {
                if (!word.empty()) items.emplace_back(word);
            }
            return Value(std::move(items));
        }
        case SettingKind::Text:
            break;
    }
    return Value(filled_in(setting.text, certname));
}

}  // namespace

void set_setting_defaults(HashBuilder& values, const std::string& certname) {
    for (const SettingDefault& setting : setting_defaults)
        values.set(Value(setting.name), default_of_setting(setting, certname));
}

}  // namespace volley
