#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/system/system.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// The systems that have rules of their own, and what they are built on.
struct Lineage {
    std::string_view id, base;
};
constexpr std::array<Lineage, 25> lineages = {
    {{"debian", ""},         {"elementary", "debian"}, {"ubuntu", "debian"}, {"linuxmint", "ubuntu"},
     {"raspbian", "debian"}, {"devuan", "debian"},     {"rhel", ""},         {"fedora", "rhel"},
     {"amzn", "rhel"},       {"centos", "rhel"},       {"ol", "rhel"},       {"scientific", "rhel"},
     {"meego", "rhel"},      {"oel", "rhel"},          {"ovs", "rhel"},      {"sles", ""},
     {"opensuse", "sles"},   {"sled", "sles"},         {"gentoo", ""},       {"alpine", ""},
     {"photon", ""},         {"slackware", ""},        {"mageia", ""},       {"openwrt", ""},
     {"mariner", ""}}};

/// Where the release stands in a file of the system's own: what follows `before`, up to what is not one of
/// the characters of a version.
struct ReleaseFile {
    std::string_view id, path, before;
};
constexpr std::array<ReleaseFile, 14> release_files = {
    {{"alpine", "/etc/alpine-release", ""},
     {"devuan", "/etc/devuan_version", ""},
     {"amzn", "/etc/system-release", "release "},
     {"gentoo", "/etc/gentoo-release", "release "},
     {"ol", "/etc/oracle-release", "release "},
     {"oel", "/etc/enterprise-release", "release "},
     {"ovs", "/etc/ovs-release", "release "},
     {"meego", "/etc/meego-release", "release "},
     {"linuxmint", "/etc/linuxmint/info", "RELEASE="},
     {"mageia", "/etc/mageia-release", "Mageia release "},
     {"mariner", "/etc/mariner-release", "CBL-Mariner "},
     {"openwrt", "/etc/openwrt_version", ""},
     {"photon", "/etc/lsb-release", "DISTRIB_RELEASE=\""},
     {"slackware", "/etc/slackware-version", "Slackware "}}};

/// Everything that the facts of a system are made of.
class Distribution {
public:
    Distribution(const FactHost& host, std::string machine)
        : host_(host),
          machine_(std::move(machine)),
          fields_(release_fields(host.read("/etc/os-release").value_or(""))),
          redhat_(host.word("/etc/redhat-release")) {
        find_rules();
    }

    Json facts() const {
        Json os{
            {"name", name()}, {"family", family()}, {"hardware", machine_}, {"architecture", architecture()}};
        if (Json found = release(); !found.empty()) os["release"] = std::move(found);
        if (Json found = distro(); !found.empty()) os["distro"] = std::move(found);
        if (os["name"].get<std::string>().empty()) os.erase("name");
        return os;
    }

private:
    const std::string& field(const std::string& name) const {
        static const std::string none;
        const auto found = fields_.find(name);
        return found == fields_.end() ? none : found->second;
    }

    static const Lineage* lineage_of(std::string_view id) {
        const auto found =
            std::find_if(lineages.begin(), lineages.end(), [&](const Lineage& one) { return one.id == id; });
        return found == lineages.end() ? nullptr : &*found;
    }

    /// The nearest rules first: linuxmint, ubuntu, debian.
    void find_rules() {
        std::string id = lower(field("id"));
        if (host_.exists("/etc/devuan_version")) id = "devuan";
        if (id.empty() && !redhat_.empty()) id = "rhel";
        if (id.empty() && host_.exists("/etc/SuSE-release")) id = "sles";
        const Lineage* line = lineage_of(id);
        for (const std::string& like : split(field("id_like"), ' ')) {
            if (line == nullptr) line = lineage_of(lower(like));
        }
        for (; line != nullptr; line = lineage_of(line->base)) rules_.emplace_back(line->id);
    }

    bool is(std::string_view id) const { return std::find(rules_.begin(), rules_.end(), id) != rules_.end(); }
    bool nearest(std::string_view id) const { return !rules_.empty() && rules_[0] == id; }

    std::string architecture() const {
        const bool old = machine_.size() == 4 && machine_[0] == 'i' && machine_.ends_with("86");
        if (old) return "i386";
        return is("debian") && machine_ == "x86_64" ? "amd64" : machine_;
    }

    std::string name() const {
        if (nearest("linuxmint")) return capital(field("id"));
        if (field("name").empty() && is("rhel")) return redhat_words(2);
        return field("name");
    }

    std::string family() const {
        if (is("rhel")) return "RedHat";
        if (is("sles")) return "Suse";
        struct Family {
            std::string_view name;
            std::vector<std::string_view> members;
        };
        static const std::array<Family, 6> families = {
            {{"RedHat",
              {"redhat", "rhel", "fedora", "centos", "scientific", "ascendos", "cloudlinux", "psbm",
               "oraclelinux", "ovs", "oel", "amazon", "xenserver", "xcp-ng", "virtuozzo", "photon",
               "mariner"}},
             {"Debian", {"debian", "ubuntu", "huaweios", "linuxmint", "devuan", "kde"}},
             {"Suse", {"sles", "sled", "suse"}},
             {"Gentoo", {"gentoo"}},
             {"Archlinux", {"arch", "manjaro"}},
             {"Mandrake", {"mandrake", "mandriva", "mageia"}}}};
        const std::string like = lower(field("id_like").empty() ? field("id") : field("id_like"));
        for (const Family& one : families) {
            for (const std::string_view member : one.members) {
                if (like.find(member) != std::string::npos) return capital(std::string(one.name));
            }
        }
        return capital(like);
    }

    static std::string capital(std::string text) {
        text = lower(text);
        if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        return text;
    }

    /// The first words of /etc/redhat-release before "release", without "Linux", joined.
    std::string redhat_words(std::size_t most) const {
        std::string joined;
        for (const std::string& word : split(redhat_.substr(0, redhat_.find("release")), ' ')) {
            if (word.empty() || lower(word) == "linux" || most == 0) continue;
            joined += word;
            --most;
        }
        return joined;
    }

    std::string redhat_version() const {
        const std::size_t at = redhat_.find("release ");
        if (at == std::string::npos) return {};
        return redhat_.substr(at + 8, redhat_.find(' ', at + 8) - at - 8);
    }

    std::optional<std::string> version_in_file() const {
        for (const ReleaseFile& file : release_files) {
            if (!nearest(file.id)) continue;
            const auto text = host_.read(file.path);
            if (!text) return std::nullopt;
            if (text->find("Rawhide") != std::string::npos) return "Rawhide";
            if (file.before.empty()) return std::string(trim(*text));
            const std::size_t at = text->find(file.before);
            if (at == std::string::npos) return std::nullopt;
            const std::size_t start = at + file.before.size();
            std::string version = text->substr(start, text->find_first_not_of("0123456789.", start) - start);
            if (version.empty()) return std::nullopt;
            return version;
        }
        return std::nullopt;
    }

    /// Debian numbers its point releases in a file of its own; "testing" has no number.
    Json debian_release() const {
        const std::string version = host_.word("/etc/debian_version");
        if (version.empty()) return Json::object();
        Json release = release_parts(version);
        const auto minor = release.find("minor");
        if (minor == release.end()) return release;
        std::string number = minor->get<std::string>();
        if (number.size() > 1 && number[0] == '0' && number[1] != '0') number.erase(0, 1);
        *minor = number;
        return release;
    }

    Json release() const {
        const std::string& id = field("version_id");
        if (const auto version = version_in_file()) return release_parts(*version);
        if (nearest("ubuntu") || rules_.empty())
            return id.empty() ? Json::object() : Json{{"full", id}, {"major", id}};
        if (nearest("linuxmint")) return release_parts(id);
        if (is("debian") && !nearest("devuan")) return debian_release();
        if (is("rhel") && !redhat_version().empty()) return release_parts(redhat_version());
        if (id.empty()) return Json::object();
        if (is("sles")) {
            const std::vector<std::string> parts = split(id, '.');
            return Json{{"full", id}, {"major", parts.front()}, {"minor", parts.back()}};
        }
        return release_parts(id);
    }

    Json distro() const {
        Json facts = Json::object();
        const ReleaseFields lsb = lsb_fields(host_);
        const auto add = [&](const char* key, const std::string& value) {
            if (!value.empty()) facts[key] = value;
        };
        const auto of_lsb = [&](const char* key) {
            const auto found = lsb.find(key);
            return found == lsb.end() ? std::string() : found->second;
        };
        add("specification", of_lsb("lsb_version"));
        if (is("debian")) {
            add("codename", debian_codename());
            add("description", field("pretty_name"));
            add("id", capital(field("id")));
            if (nearest("ubuntu") || nearest("linuxmint")) {
                if (!field("version_id").empty())
                    facts["release"] = Json{{"full", field("version_id")}, {"major", field("version_id")}};
            } else if (Json found = nearest("devuan") ? lsb_release(of_lsb("release")) : debian_release();
                       !found.empty()) {
                facts["release"] = std::move(found);
            }
        } else if (is("rhel")) {
            add_redhat_distro(facts);
        } else if (is("sles")) {
            add("codename", field("version_codename").empty() ? "n/a" : field("version_codename"));
            add("description", field("pretty_name"));
            add("id", field("version_id").starts_with("12") ? "SUSE LINUX" : "SUSE");
            if (Json found = release(); !found.empty()) facts["release"] = std::move(found);
        } else {
            add("codename", of_lsb("codename"));
            add("description", of_lsb("description"));
            add("id", of_lsb("distributor_id"));
            if (Json found = lsb_release(of_lsb("release")); !found.empty())
                facts["release"] = std::move(found);
        }
        return facts;
    }

    static Json lsb_release(const std::string& version) {
        return version.empty() ? Json::object() : release_parts(version);
    }

    void add_redhat_distro(Json& facts) const {
        const std::string text = nearest("amzn") ? host_.word("/etc/system-release") : redhat_;
        if (!text.empty()) {
            facts["description"] = text;
            std::string id;
            for (const std::string& word : split(text.substr(0, text.find("release")), ' ')) {
                if (lower(word) != "linux") id += word;
            }
            facts["id"] = id;
        }
        const std::size_t open = text.find('(', std::min(text.find("release"), text.size()));
        if (open != std::string::npos) {
            std::string codename = text.substr(open + 1, text.rfind(')') - open - 1);
            if (!codename.empty()) facts["codename"] = codename;
        } else if (nearest("amzn")) {
            facts["codename"] = "n/a";
        }
        if (Json found = release(); !found.empty()) facts["release"] = std::move(found);
    }

    std::string debian_codename() const {
        if (!field("version_codename").empty()) return field("version_codename");
        const std::string& version = field("version");
        const std::size_t open = version.find('(');
        if (open != std::string::npos && version.ends_with(')'))
            return version.substr(open + 1, version.size() - open - 2);
        // "14.04.6 LTS, Trusty Tahr": the first of two words of letters.
        const std::vector<std::string> words = split(version, ' ');
        const auto letters = [](const std::string& word) {
            return !word.empty() && std::all_of(word.begin(), word.end(),
                                                [](unsigned char c) { return std::isalpha(c) != 0; });
        };
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            if (letters(words[i]) && letters(words[i + 1])) return lower(words[i]);
        }
        return {};
    }

    const FactHost& host_;
    std::string machine_;
    ReleaseFields fields_;
    std::string redhat_;
    std::vector<std::string> rules_;
};

Json find_os(const FactHost& host) {
    utsname names{};
    ::uname(&names);
    Json os = os_on(host, names.machine);
    os["selinux"] = selinux_on(host);
    return Json{{"os", std::move(os)}};
}

}  // namespace

Json os_on(const FactHost& host, const std::string& machine) { return Distribution(host, machine).facts(); }

Json selinux_on(const FactHost& host) {
    std::string place;
    for (const std::string& line : host.lines("/proc/self/mounts")) {
        const std::vector<std::string> fields = split(line, ' ');
        if (place.empty() && fields.size() > 2 && fields[2] == "selinuxfs") place = fields[1];
    }
    const std::vector<std::string> config = host.lines("/etc/selinux/config");
    if (place.empty() || config.empty()) return Json{{"enabled", false}};
    Json selinux{{"enabled", true}};
    for (const std::string& line : config) {
        const std::string value(trim(std::string_view(line).substr(line.rfind('=') + 1)));
        if (line.starts_with("SELINUX=")) selinux["config_mode"] = value;
        if (line.starts_with("SELINUXTYPE=")) selinux["config_policy"] = value;
    }
    const bool enforced = host.read(place + "/enforce") == "1";
    selinux["enforced"] = enforced;
    selinux["current_mode"] = enforced ? "enforcing" : "permissive";
    if (const auto version = host.read(place + "/policyvers")) selinux["policy_version"] = *version;
    return selinux;
}

const FactGroup& os_facts() {
    static const FactGroup group{{"os"}, find_os, begin_lsb_fields};
    return group;
}

}  // namespace volley::agent
