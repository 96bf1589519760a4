#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "support/text.hpp"
#include "transports/ssh/config/parsed_config.hpp"

namespace volley::transports::ssh {
namespace {

using Words = std::span<const std::string>;
using Shape = ConfigKeyword::Shape;

[[noreturn]] void refuse_value(std::string_view word, std::string_view wanted) {
    throw std::invalid_argument("'" + scrub_utf8(word) + "' is not " + std::string(wanted));
}

int parse_number(std::string_view word, int least, int most, std::string_view wanted) {
    int value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size() || value < least || value > most)
        refuse_value(word, wanted);
    return value;
}

/// sshd_config(5) TIME FORMATS: "90", "1m30s", "2h".
int parse_seconds(std::string_view word) {
    static constexpr std::string_view wanted = "a time such as 30, 90s or 1m30s";
    long total = 0;
    std::string_view rest = word;
    if (rest.empty()) refuse_value(word, wanted);
    while (!rest.empty()) {
        long value = 0;
        const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (code != std::errc() || value < 0 || value > std::numeric_limits<int>::max())
            refuse_value(word, wanted);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        long unit = 1;
        if (!rest.empty()) {
            static constexpr std::string_view units = "smhdw";
            static constexpr long seconds[] = {1, 60, 3600, 86400, 604800};
            const char letter = lower(rest.substr(0, 1)).front();
            const std::size_t which = units.find(letter);
            if (which == std::string_view::npos) refuse_value(word, wanted);
            unit = seconds[which];
            rest.remove_prefix(1);
        }
        total += value * unit;
        if (total > std::numeric_limits<int>::max()) refuse_value(word, wanted);
    }
    return static_cast<int>(total);
}

bool parse_flag(std::string_view word) {
    const std::string text = lower(word);
    if (text == "yes" || text == "true") return true;
    if (text == "no" || text == "false") return false;
    refuse_value(word, "yes or no");
}

template <auto Member>
void text(HostSettings& settings, Words words) {
    if (!(settings.*Member)) settings.*Member = words.front();
}

template <auto Member>
void flag(HostSettings& settings, Words words) {
    const bool value = parse_flag(words.front());
    if (!(settings.*Member)) settings.*Member = value;
}

template <auto Member>
void seconds(HostSettings& settings, Words words) {
    const int value = words.front() == "none" ? 0 : parse_seconds(words.front());
    if (!(settings.*Member)) settings.*Member = value;
}

template <auto Member>
void count(HostSettings& settings, Words words) {
    const int value = parse_number(words.front(), 0, std::numeric_limits<int>::max(), "a number");
    if (!(settings.*Member)) settings.*Member = value;
}

template <auto Member>
void list(HostSettings& settings, Words words) {
    if ((settings.*Member).empty()) (settings.*Member).assign(words.begin(), words.end());
}

/// Each line adds one; the same name twice counts once.
template <auto Member>
void accumulate(HostSettings& settings, Words words) {
    auto& all = settings.*Member;
    if (std::find(all.begin(), all.end(), words.front()) == all.end()) all.push_back(words.front());
}

void host_name(HostSettings& settings, Words words) {
    if (settings.host_name.empty()) settings.host_name = words.front();
}

void port(HostSettings& settings, Words words) {
    const int value = parse_number(words.front(), 1, 65535, "a port number");
    if (!settings.port) settings.port = value;
}

/// ProxyCommand and ProxyJump exclude each other: the first of the two wins. But `ProxyJump none` leaves
/// place for a command, as in OpenSSH.
void proxy_command(HostSettings& settings, Words words) {
    const bool jumps = settings.proxy_jump && lower(*settings.proxy_jump) != "none";
    if (!settings.proxy_command && !jumps) settings.proxy_command = words.front();
}

void proxy_jump(HostSettings& settings, Words words) {
    const std::string& hops = words.front();
    if (hops.find('%') == std::string::npos) parse_proxy_jump(hops);  // throws when it is malformed
    if (!settings.proxy_command && !settings.proxy_jump) settings.proxy_jump = hops;
}

void strict_host_key_checking(HostSettings& settings, Words words) {
    const std::string word = lower(words.front());
    auto value = StrictHostKeyChecking::Ask;
    if (word == "accept-new") {
        value = StrictHostKeyChecking::AcceptNew;
    } else if (word == "yes" || word == "true") {
        value = StrictHostKeyChecking::Yes;
    } else if (word == "no" || word == "false" || word == "off") {
        value = StrictHostKeyChecking::No;
    } else if (word != "ask") {
        refuse_value(words.front(), "one of yes, no, ask, accept-new, off");
    }
    if (!settings.strict_host_key_checking) settings.strict_host_key_checking = value;
}

void address_family(HostSettings& settings, Words words) {
    const std::string word = lower(words.front());
    auto value = AddressFamily::Any;
    if (word == "inet") {
        value = AddressFamily::Inet;
    } else if (word == "inet6") {
        value = AddressFamily::Inet6;
    } else if (word != "any") {
        refuse_value(words.front(), "one of any, inet, inet6");
    }
    if (!settings.address_family) settings.address_family = value;
}

/// `unbound` and `host-bound` concern an extension that makes no difference to whether keys are used.
void pubkey_authentication(HostSettings& settings, Words words) {
    const std::string word = lower(words.front());
    const bool value = word == "unbound" || word == "host-bound" || parse_flag(words.front());
    if (!settings.pubkey_authentication) settings.pubkey_authentication = value;
}

/// An address, a path or `no` as well; any of them but `no` forwards.
void forward_agent(HostSettings& settings, Words words) {
    const std::string word = lower(words.front());
    if (!settings.forward_agent) settings.forward_agent = word != "no" && word != "false";
}

using S = HostSettings;
constexpr ConfigKeyword keywords[] = {
    {"addressfamily", Shape::OneWord, address_family},
    {"batchmode", Shape::OneWord, flag<&S::batch_mode>},
    {"bindaddress", Shape::OneWord, text<&S::bind_address>},
    {"bindinterface", Shape::OneWord, text<&S::bind_interface>},
    {"certificatefile", Shape::OneWord, accumulate<&S::certificate_files>},
    {"challengeresponseauthentication", Shape::OneWord, flag<&S::kbd_interactive_authentication>},
    {"ciphers", Shape::OneWord, text<&S::ciphers>},
    {"compression", Shape::OneWord, flag<&S::compression>},
    {"connectionattempts", Shape::OneWord, count<&S::connection_attempts>},
    {"connecttimeout", Shape::OneWord, seconds<&S::connect_timeout>},
    {"forwardagent", Shape::OneWord, forward_agent},
    {"globalknownhostsfile", Shape::Words, list<&S::global_known_hosts>},
    {"gssapiauthentication", Shape::OneWord, flag<&S::gssapi_authentication>},
    {"hashknownhosts", Shape::OneWord, flag<&S::hash_known_hosts>},
    {"hostkeyalgorithms", Shape::OneWord, text<&S::host_key_algorithms>},
    {"hostkeyalias", Shape::OneWord, text<&S::host_key_alias>},
    {"hostname", Shape::OneWord, host_name},
    {"identitiesonly", Shape::OneWord, flag<&S::identities_only>},
    {"identityagent", Shape::OneWord, text<&S::identity_agent>},
    {"identityfile", Shape::OneWord, accumulate<&S::identity_files>},
    {"kbdinteractiveauthentication", Shape::OneWord, flag<&S::kbd_interactive_authentication>},
    {"kexalgorithms", Shape::OneWord, text<&S::kex_algorithms>},
    {"keepalive", Shape::OneWord, flag<&S::tcp_keep_alive>},
    {"macs", Shape::OneWord, text<&S::macs>},
    {"passwordauthentication", Shape::OneWord, flag<&S::password_authentication>},
    {"port", Shape::OneWord, port},
    {"preferredauthentications", Shape::OneWord, text<&S::preferred_authentications>},
    {"proxycommand", Shape::WholeLine, proxy_command},
    {"proxyjump", Shape::OneWord, proxy_jump},
    {"pubkeyacceptedalgorithms", Shape::OneWord, text<&S::pubkey_accepted_algorithms>},
    {"pubkeyacceptedkeytypes", Shape::OneWord, text<&S::pubkey_accepted_algorithms>},
    {"pubkeyauthentication", Shape::OneWord, pubkey_authentication},
    {"serveralivecountmax", Shape::OneWord, count<&S::server_alive_count_max>},
    {"serveraliveinterval", Shape::OneWord, seconds<&S::server_alive_interval>},
    {"stricthostkeychecking", Shape::OneWord, strict_host_key_checking},
    {"tcpkeepalive", Shape::OneWord, flag<&S::tcp_keep_alive>},
    {"user", Shape::OneWord, text<&S::user>},
    {"userknownhostsfile", Shape::Words, list<&S::user_known_hosts>},
};

constexpr std::string_view ignored[] = {
    "addkeystoagent",
    "afstokenpassing",
    "canonicaldomains",
    "canonicalizefallbacklocal",
    "canonicalizehostname",
    "canonicalizemaxdots",
    "canonicalizepermittedcnames",
    "casignaturealgorithms",
    "channeltimeout",
    "checkhostip",
    "cipher",
    "clearallforwardings",
    "compressionlevel",
    "controlmaster",
    "controlpath",
    "controlpersist",
    "dsaauthentication",
    "dynamicforward",
    "enableescapecommandline",
    "enablesshkeysign",
    "escapechar",
    "exitonforwardfailure",
    "fallbacktorsh",
    "fingerprinthash",
    "forkafterauthentication",
    "forwardx11",
    "forwardx11timeout",
    "forwardx11trusted",
    "gatewayports",
    "globalknownhostsfile2",
    "gssapiclientidentity",
    "gssapidelegatecredentials",
    "gssapikexalgorithms",
    "gssapikeyexchange",
    "gssapirenewalforcesrekey",
    "gssapiserveridentity",
    "gssapitrustdns",
    "hostbasedacceptedalgorithms",
    "hostbasedauthentication",
    "hostbasedkeytypes",
    "identityfile2",
    "ipqos",
    "kbdinteractivedevices",
    "kerberosauthentication",
    "kerberostgtpassing",
    "knownhostscommand",
    "localcommand",
    "localforward",
    "loglevel",
    "logverbose",
    "nohostauthenticationforlocalhost",
    "numberofpasswordprompts",
    "obscurekeystroketiming",
    "permitlocalcommand",
    "permitremoteopen",
    "pkcs11provider",
    "protocol",
    "protocolkeepalives",
    "proxyusefdpass",
    "rekeylimit",
    "remotecommand",
    "remoteforward",
    "requesttty",
    "requiredrsasize",
    "revokedhostkeys",
    "rhostsauthentication",
    "rhostsrsaauthentication",
    "rsaauthentication",
    "securitykeyprovider",
    "sendenv",
    "sessiontype",
    "setenv",
    "setuptimeout",
    "skeyauthentication",
    "smartcarddevice",
    "stdinnull",
    "streamlocalbindmask",
    "streamlocalbindunlink",
    "syslogfacility",
    "tag",
    "tisauthentication",
    "tunnel",
    "tunneldevice",
    "updatehostkeys",
    "useblacklistedkeys",
    "usekeychain",
    "useprivilegedport",
    "userknownhostsfile2",
    "useroaming",
    "usersh",
    "verifyhostkeydns",
    "versionaddendum",
    "visualhostkey",
    "warnweakcrypto",
    "xauthlocation",
};

}  // namespace

const ConfigKeyword* find_config_keyword(std::string_view name) {
    for (const ConfigKeyword& keyword : keywords) {
        if (keyword.name == name) return &keyword;
    }
    return nullptr;
}

std::string likely_config_keyword(std::string_view name) {
    std::vector<std::string> names{"host", "match", "include"};
    for (const ConfigKeyword& keyword : keywords) names.emplace_back(keyword.name);
    return closest_match(name, names).value_or("");
}

bool is_ignored_config_keyword(std::string_view name) {
    return std::find(std::begin(ignored), std::end(ignored), name) != std::end(ignored);
}

}  // namespace volley::transports::ssh
