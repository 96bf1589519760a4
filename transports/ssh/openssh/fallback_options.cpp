#include <pwd.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "support/text.hpp"
#include "transports/ssh/openssh/openssh_command.hpp"

namespace volley::transports::ssh {
namespace {

namespace fs = std::filesystem;

struct AlgorithmOption {
    const char* ours;
    std::string_view openssh;
};
constexpr AlgorithmOption algorithm_options[] = {{"encryption-algorithms", "Ciphers"},
                                                 {"mac-algorithms", "MACs"},
                                                 {"kex-algorithms", "KexAlgorithms"},
                                                 {"host-key-algorithms", "HostKeyAlgorithms"}};

void add(std::vector<std::string>& words, std::string_view option, std::string_view value) {
    words.emplace_back("-o");
    words.push_back(std::string(option) + "=" + std::string(value));
}

/// A list replaces the defaults, unless it has the word `defaults` in it (SSH-010): then it adds to them.
std::string algorithm_list(const Json& names) {
    std::vector<std::string> list;
    bool adds = false;
    for (const Json& name : names) {
        if (name == "defaults") {
            adds = true;
        } else {
            list.push_back(name.get<std::string>());
        }
    }
    if (list.empty()) return {};
    return (adds ? "+" : "") + join(list, ",");
}

/// Quoted as ssh_config wants a file name with spaces.
std::string quoted(const std::string& path) { return '"' + path + '"'; }

bool is_ssh_home(const fs::path& home) {
    const passwd* entry = ::getpwuid(::getuid());
    std::error_code code;
    return entry == nullptr || fs::equivalent(home, entry->pw_dir, code);
}

void add_files(std::vector<std::string>& words, const TargetConfig& target, const HostSettings& settings,
               const fs::path& folder) {
    std::error_code code;
    const fs::path config = folder / "config";
    if (fs::exists(config, code)) words.insert(words.end(), {"-F", config.string()});
    std::vector<std::string> known;
    for (const std::string& file : settings.user_known_hosts) known.push_back(quoted(file));
    if (known.empty()) known.push_back(quoted((folder / "known_hosts").string()));
    add(words, "UserKnownHostsFile", join(known, " "));
    for (const std::string& file : settings.certificate_files) add(words, "CertificateFile", quoted(file));
    if (target.options->contains("private-key")) return;
    std::vector<std::string> keys = settings.identity_files;
    if (keys.empty() && !settings.identity_files_none) {
        for (const char* name : {"id_rsa", "id_ecdsa", "id_ed25519"}) {
            if (fs::exists(folder / name, code)) keys.push_back((folder / name).string());
        }
    }
    for (const std::string& key : keys) add(words, "IdentityFile", quoted(key));
}

}  // namespace

std::vector<std::string> fallback_options(const TargetConfig& target, const HostSettings& settings,
                                          const fs::path& home) {
    const Json& options = *target.options;
    std::vector<std::string> words;
    if (!home.empty() && !is_ssh_home(home)) add_files(words, target, settings, home / ".ssh");
    for (const AlgorithmOption& option : algorithm_options) {
        const auto names = options.find(option.ours);
        if (names == options.end() || !names->is_array()) continue;
        const std::string list = algorithm_list(*names);
        if (!list.empty()) add(words, option.openssh, list);
    }
    if (const auto jump = options.find("proxyjump"); jump != options.end() && jump->is_string()) {
        add(words, "ProxyJump", jump->get<std::string>());
    }
    return words;
}

}  // namespace volley::transports::ssh
