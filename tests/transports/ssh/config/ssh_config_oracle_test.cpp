#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/text.hpp"
#include "tests/transports/ssh/ssh_tools_fixture.hpp"
#include "transports/ssh/config/ssh_config.hpp"

// OpenSSH itself as the judge: `ssh -G` prints the settings that it would use.

namespace volley::transports::ssh {
namespace {

using testing::TempDir;
using Printed = std::map<std::string, std::vector<std::string>>;

std::string plain(std::string_view value) {
    if (value == "yes") return "true";
    if (value == "no") return "false";
    return std::string(value);
}

Printed ask_openssh(const std::string& file, const std::string& host) {
    const auto ran = testing::run_shell("ssh -G -F '" + file + "' " + host);
    REQUIRE(ran.status == 0);
    Printed printed;
    for (const std::string& line : split(ran.out, '\n')) {
        const std::size_t space = line.find(' ');
        if (space != std::string::npos)
            printed[line.substr(0, space)].push_back(plain(line.substr(space + 1)));
    }
    return printed;
}

/// Our settings in the words of -G; what is not set is absent.
class SettingsText {
public:
    explicit SettingsText(const HostSettings& got) {
        put("hostname", got.host_name);
        text("user", got.user);
        number("port", got.port);
        text("proxyjump", got.proxy_jump == "none" ? std::nullopt : got.proxy_jump);
        text("proxycommand", got.proxy_command == "none" ? std::nullopt : got.proxy_command);
        number("connecttimeout", got.connect_timeout);
        number("connectionattempts", got.connection_attempts);
        number("serveraliveinterval", got.server_alive_interval);
        number("serveralivecountmax", got.server_alive_count_max);
        flag("hashknownhosts", got.hash_known_hosts);
        flag("identitiesonly", got.identities_only);
        flag("pubkeyauthentication", got.pubkey_authentication);
        flag("passwordauthentication", got.password_authentication);
        flag("kbdinteractiveauthentication", got.kbd_interactive_authentication);
        flag("gssapiauthentication", got.gssapi_authentication);
        flag("compression", got.compression);
        flag("tcpkeepalive", got.tcp_keep_alive);
        flag("batchmode", got.batch_mode);
        flag("forwardagent", got.forward_agent);
        text("bindaddress", got.bind_address);
        text("bindinterface", got.bind_interface);
        text("hostkeyalias", got.host_key_alias);
        text("identityagent", got.identity_agent);
        text("ciphers", got.ciphers);
        text("macs", got.macs);
        text("kexalgorithms", got.kex_algorithms);
        text("hostkeyalgorithms", got.host_key_algorithms);
        text("preferredauthentications", got.preferred_authentications);
        list("identityfile", got.identity_files);
        list("certificatefile", got.certificate_files);
        list("userknownhostsfile", {join(got.user_known_hosts, " ")});
        list("globalknownhostsfile", {join(got.global_known_hosts, " ")});
        static constexpr std::string_view strict[] = {"true", "false", "accept-new", "ask"};
        if (got.strict_host_key_checking) {
            put("stricthostkeychecking",
                std::string(strict[static_cast<std::size_t>(*got.strict_host_key_checking)]));
        }
        static constexpr std::string_view families[] = {"any", "inet", "inet6"};
        if (got.address_family) {
            put("addressfamily", std::string(families[static_cast<std::size_t>(*got.address_family)]));
        }
    }

    /// Every setting that we know about is theirs, or unset and their default.
    void compare(const Printed& theirs, const Printed& defaults) const {
        static constexpr std::string_view names[] = {"hostname",
                                                     "user",
                                                     "port",
                                                     "proxyjump",
                                                     "proxycommand",
                                                     "connecttimeout",
                                                     "connectionattempts",
                                                     "serveraliveinterval",
                                                     "serveralivecountmax",
                                                     "hashknownhosts",
                                                     "identitiesonly",
                                                     "pubkeyauthentication",
                                                     "passwordauthentication",
                                                     "kbdinteractiveauthentication",
                                                     "gssapiauthentication",
                                                     "compression",
                                                     "tcpkeepalive",
                                                     "batchmode",
                                                     "forwardagent",
                                                     "bindaddress",
                                                     "bindinterface",
                                                     "hostkeyalias",
                                                     "identityagent",
                                                     "ciphers",
                                                     "macs",
                                                     "kexalgorithms",
                                                     "hostkeyalgorithms",
                                                     "preferredauthentications",
                                                     "identityfile",
                                                     "certificatefile",
                                                     "userknownhostsfile",
                                                     "globalknownhostsfile",
                                                     "stricthostkeychecking",
                                                     "addressfamily"};
        for (const std::string_view view : names) {
            const std::string name(view);
            INFO(name);
            const auto said = theirs.find(name);
            const auto want = said == theirs.end() ? std::vector<std::string>{} : said->second;
            const auto unset = defaults.find(name);
            const auto ours = values_.find(name);
            if (ours != values_.end()) {
                CHECK(ours->second == want);
            } else {
                CHECK(want == (unset == defaults.end() ? std::vector<std::string>{} : unset->second));
            }
        }
    }

private:
    void put(const std::string& name, std::string value) { values_[name] = {std::move(value)}; }
    void text(const std::string& name, const std::optional<std::string>& value) {
        if (value) put(name, *value);
    }
    void number(const std::string& name, const std::optional<int>& value) {
        if (value) put(name, std::to_string(*value));
    }
    void flag(const std::string& name, const std::optional<bool>& value) {
        if (value) put(name, *value ? "true" : "false");
    }
    void list(const std::string& name, const std::vector<std::string>& values) {
        if (!values.empty() && !values.front().empty()) values_[name] = values;
    }

    Printed values_;
};

TEST_CASE("ssh_config: ssh -G agrees", "[ssh][ssh_config]") {
    // No BatchMode here: Debian's ssh derives a ServerAliveInterval from it.
    static constexpr std::string_view texts[] = {
        "Host web1\n User carol\n Port 2201\nHost *\n User dave\n",
        "Host web* !web1\n User carol\nHost web1 db\n Port 9\n",
        "host=web1\nuser=carol\nPORT = 2202\n",
        "User \"carol\"\nPort '2203'\n",
        "  \t User\tcarol # a comment\n#Port 1\nPort 2204 #x\n",
        "User ca\\\"rol\n",
        "HostName %h.example.com\nMatch host *.example.com\n User carol\n",
        "HostName WEB.Example.COM\n",
        "Match originalhost web1\n HostName x.lab\nMatch host x.lab\n User carol\n",
        "Match host=web1,db\n User carol\nMatch !host db\n Port 2205\n",
        "Match user root\n Port 2206\nUser root\nMatch user root\n Port 2207\n",
        "Match all\n User carol\n",
        "Match final host x.lab\n User carol\nHost web1\n HostName x.lab\n",
        "Match final\n Port 2\nHost x.lab\n User carol\nHost web1\n HostName x.lab\n",
        "Match canonical\n User carol\n",
        "Match canonical all\n User carol\n",
        "Match exec \"test %n = web1\"\n User carol\n",
        "Match !exec \"test %n = web1\"\n User carol\n",
        "Match host web1 exec true user nobody\n User carol\n",
        "ProxyJump jump\nProxyCommand nc\n",
        "ProxyJump none\nProxyJump jump\n",
        "ProxyCommand none\nProxyJump jump\n",
        "ProxyCommand nc \"a b\" # c\nProxyJump jump\n",
        "ProxyJump a@b:22,c\n",
        "ProxyJump none\nProxyCommand nc\n",
        "ConnectTimeout 1m30s\nServerAliveInterval 2h\nServerAliveCountMax 7\nConnectionAttempts 4\n",
        "StrictHostKeyChecking no\nHashKnownHosts yes\nIdentitiesOnly yes\n",
        "StrictHostKeyChecking accept-new\n",
        "StrictHostKeyChecking off\n",
        "IdentityFile /a\nIdentityFile /b\nHost web1\n IdentityFile /c\n IdentityFile /a\n",
        "UserKnownHostsFile /k1 /k2\nGlobalKnownHostsFile /g\nUserKnownHostsFile /k3\n",
        "PubkeyAuthentication no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n",
        "ChallengeResponseAuthentication no\n",
        "AddressFamily inet6\nBindAddress 10.0.0.1\nHostKeyAlias alias\nIdentityAgent /agent\n",
        "CertificateFile /c1\nCertificateFile /c2\n",
        "Host web?\n User carol\nHost *\n Port 2208\nHost db\n HostName 10.0.0.5\n",
        "Ciphers aes256-ctr\nMACs hmac-sha2-256\nKexAlgorithms curve25519-sha256\nHostKeyAlgorithms "
        "ssh-ed25519\n",
        "Host *.lab\n User carol\nHost web1\n HostName web1.lab\n",
        "Host WEB1\n User carol\n",
        "Match host WEB1\n User carol\n",
        "Include @/inc*\nPort 2209\nUser dave\n",
        "Host db\n Include @/inc1\nPort 2210\n",
        "Host db\n Include @/inc1\n Port 2211\nHost *\n User erin\n",
        "Compression yes\nTCPKeepAlive no\nForwardAgent yes\nGSSAPIAuthentication yes\n",
        "PreferredAuthentications publickey,password\nBindInterface lo\n",
    };
    const TempDir dir;
    dir.write("inc1", "Host web1\n User carol\nHost db\n HostName db.lab\n");
    dir.write("inc2", "Port 2299\n");
    const SshConfig::Exec exec = [](const std::string& command) -> std::optional<bool> {
        return testing::run_shell(command).status == 0;
    };
    for (const std::string_view view : texts) {
        std::string text(view);
        for (std::size_t at = 0; (at = text.find('@' + std::string("/"), at)) != std::string::npos;) {
            text.replace(at, 1, dir.path().string());
        }
        const auto file = dir.write("config", text);
        const auto parsed = SshConfig::load({{file, true}}, ConfigIdentity::current());
        for (const std::string host : {"web1", "web12", "WEB1", "db", "x.lab", "10.1.2.3"}) {
            INFO(text << "for " << host);
            const SettingsText ours(parsed->resolve(ConfigQuery(host), exec));
            ours.compare(ask_openssh(file.string(), host), ask_openssh("/dev/null", host));
        }
    }
}

}  // namespace
}  // namespace volley::transports::ssh
