#include <array>
#include <nlohmann/json.hpp>

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/system/system.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// RFC 4255 and its successors: the number of the algorithm in an SSHFP record.
struct KeyKind {
    std::string_view type, name;
    int number;
};
constexpr std::array<KeyKind, 4> key_kinds = {{{"ssh-rsa", "rsa", 1},
                                               {"ssh-dss", "dsa", 2},
                                               {"ecdsa-sha2-nistp256", "ecdsa", 3},
                                               {"ssh-ed25519", "ed25519", 4}}};

Json find_ssh(const FactHost& host) {
    Json keys = Json::object();
    for (const char* folder : {"/etc/ssh", "/usr/local/etc/ssh", "/etc", "/usr/local/etc", "/etc/opt/ssh"}) {
        for (const KeyKind& kind : key_kinds) {
            const auto line =
                host.read(std::string(folder) + "/ssh_host_" + std::string(kind.name) + "_key.pub");
            if (!line) continue;
            const Json key = ssh_key_of(*line);
            for (const auto& [name, value] : key.items()) keys[name] = value;
        }
    }
    return keys.empty() ? Json::object() : Json{{"ssh", std::move(keys)}};
}

}  // namespace

Json ssh_key_of(std::string_view line) {
    const std::vector<std::string> words = split(trim(line), ' ');
    if (words.size() < 2) return Json::object();
    for (const KeyKind& kind : key_kinds) {
        if (words[0] != kind.type) continue;
        const auto bytes = base64_decode(words[1]);
        if (!bytes) return Json::object();
        const auto print = [&](const char* algorithm, const char* number) {
            return "SSHFP " + std::to_string(kind.number) + " " + number + " " + digest_of(algorithm, *bytes);
        };
        return Json{{std::string(kind.name), Json{{"fingerprints", Json{{"sha1", print("sha1", "1")},
                                                                        {"sha256", print("sha256", "2")}}},
                                                  {"key", words[1]},
                                                  {"type", words[0]}}}};
    }
    return Json::object();
}

const FactGroup& ssh_facts() {
    static const FactGroup group{{"ssh"}, find_ssh};
    return group;
}

}  // namespace volley::agent
