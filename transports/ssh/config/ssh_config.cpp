#include "transports/ssh/config/ssh_config.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/ssh/config/parsed_config.hpp"
#include "transports/ssh/config/patterns.hpp"

namespace volley::transports::ssh {
namespace {

constexpr int usual_port = 22;

std::optional<std::string> read_from_disk(const std::filesystem::path& path) {
    std::error_code code;
    if (!std::filesystem::exists(path, code) || std::filesystem::is_directory(path, code))
        return std::nullopt;
    try {
        return read_file(path, "ssh configuration");
    } catch (const Error& error) {
        log(LogLevel::Debug, "transports.ssh", error.what());
        return std::nullopt;
    }
}

/// ssh_config(5): a user's configuration, and what any file includes, must belong to him or root, and nobody
/// else may write it: it has commands in it.
std::optional<std::string> read_if_safe(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
        const bool ours = status.st_uid == 0 || status.st_uid == ::getuid();
        if (!ours || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
            throw Error(
                "bolt/ssh-config-error",
                path.string() + " is not used, because " +
                    (ours ? "other users can write to it; run 'chmod go-w " + shell_quote(path.string()) + "'"
                          : "it is owned by another user"),
                Json::object(), bad_owner_or_mode);
        }
    }
    return read_from_disk(path);
}

/// One way through the program for one host.
class Evaluation {
public:
    Evaluation(const SshConfig::Program& program, const ConfigQuery& query, const SshConfig::Exec& exec)
        : program_(program), query_(query), exec_(exec), host_(query.host) {
        settings_.user = query.user;
        settings_.port = query.port;
    }

    HostSettings run() {
        for (const auto& unit : program_.units) run(*unit);
        finish_host_name();
        if (wants_final_) {  // ssh_config(5), Match final: everything again, with the host name that came
                             // out
            final_ = true;
            host_ = settings_.host_name;
            for (const auto& unit : program_.units) run(*unit);
        }
        expand();
        return std::move(settings_);
    }

private:
    void run(const ConfigUnit& unit) {
        bool active = true;
        for (const ConfigUnit::Line& line : unit.lines) {
            if (const auto* host = std::get_if<HostLine>(&line.content)) {
                active = matches(*host);
            } else if (const auto* match = std::get_if<MatchLine>(&line.content)) {
                active = matches(*match);
            } else if (!active) {
                continue;
            } else if (const auto* include = std::get_if<IncludeLine>(&line.content)) {
                for (const auto& file : include->files) run(*file);
            } else {
                const auto& setting = std::get<SettingLine>(line.content);
                setting.keyword->set(settings_, setting.words);
            }
        }
    }

    bool matches(const HostLine& line) const {
        bool any = false;
        for (std::string_view pattern : line.patterns) {
            const bool negated = !pattern.empty() && pattern.front() == '!';
            if (negated) pattern.remove_prefix(1);
            if (!match_pattern(host_, pattern)) continue;
            if (negated) return false;
            any = true;
        }
        return any;
    }

    bool matches(const MatchLine& line) {
        bool result = true;
        for (const Criterion& criterion : line.criteria) {
            if (criterion.kind == Criterion::Kind::Never) {
                result = false;
            } else if (criterion.kind == Criterion::Kind::Final) {
                wants_final_ = wants_final_ || criterion.is_final;
                result = result && final_ != criterion.negated;
            } else if (result) {  // a command is not run for a block that is out already
                result = holds(criterion) != criterion.negated;
            }
        }
        return result;
    }

    bool holds(const Criterion& criterion) {
        using Kind = Criterion::Kind;
        const auto listed = [&criterion](std::string_view text, bool fold) {
            const std::string list = fold ? lower(criterion.argument) : criterion.argument;
            return match_pattern_list(fold ? lower(text) : std::string(text), list) == ListMatch::Yes;
        };
        switch (criterion.kind) {
            case Kind::All:
                return true;
            case Kind::Host:
                return listed(host_so_far(), true);
            case Kind::OriginalHost:
                return listed(query_.host, true);
            case Kind::User:
                return listed(settings_.user.value_or(program_.identity.local_user), false);
            case Kind::LocalUser:
                return listed(program_.identity.local_user, false);
            case Kind::Exec:
                return succeeds(criterion);
            default:
                return false;
        }
    }

    bool succeeds(const Criterion& criterion) {
        const std::string command =
            tokens().expand(criterion.argument, ConfigTokens::all, false, "Match exec");
        const std::optional<bool> answer = exec_ ? exec_(command) : std::nullopt;
        // Not known is not a match, negated or not.
        return answer.value_or(criterion.negated);
    }

    std::string host_so_far() const {
        if (settings_.host_name.empty() || final_) return host_;
        return tokens_for(host_).expand(settings_.host_name, "h", false, "HostName");
    }

    ConfigTokens tokens_for(std::string host) const {
        return {std::move(host),
                query_.host,
                settings_.user.value_or(program_.identity.local_user),
                std::to_string(settings_.port.value_or(usual_port)),
                settings_.host_key_alias.value_or(query_.host),
                program_.identity};
    }
    ConfigTokens tokens() const { return tokens_for(host_so_far()); }

    void finish_host_name() { settings_.host_name = lower(host_so_far()); }

    void expand();

    const SshConfig::Program& program_;
    const ConfigQuery& query_;
    const SshConfig::Exec& exec_;
    std::string host_;
    HostSettings settings_;
    bool final_ = false;
    bool wants_final_ = false;
};

void Evaluation::expand() {
    const ConfigTokens tokens = tokens_for(settings_.host_name);
    const auto is_none = [](const std::string& name) { return lower(name) == "none"; };
    auto& keys = settings_.identity_files;
    settings_.identity_files_none = !keys.empty() && std::all_of(keys.begin(), keys.end(), is_none);
    keys.erase(std::remove_if(keys.begin(), keys.end(), is_none), keys.end());
    for (std::string& file : keys) file = tokens.expand_path(file, "IdentityFile");
    auto& certificates = settings_.certificate_files;
    certificates.erase(std::remove_if(certificates.begin(), certificates.end(), is_none), certificates.end());
    for (std::string& file : certificates) file = tokens.expand_path(file, "CertificateFile");
    for (std::string& file : settings_.user_known_hosts) {
        if (!is_none(file)) file = tokens.expand_path(file, "UserKnownHostsFile");
    }
    if (auto& agent = settings_.identity_agent; agent && !is_none(*agent) && *agent != "SSH_AUTH_SOCK") {
        if (agent->front() == '$' && agent->substr(0, 2) != "${") agent = "${" + agent->substr(1) + "}";
        agent = tokens.expand_path(*agent, "IdentityAgent");
    }
    if (auto& command = settings_.proxy_command; command && !is_none(*command)) {
        command = tokens.expand(*command, "hknpr", false, "ProxyCommand");
    }
    if (auto& jump = settings_.proxy_jump; jump && !is_none(*jump)) {
        jump = tokens.expand(*jump, "hnpr", false, "ProxyJump");
    }
}

}  // namespace

SshConfig::SshConfig() : program_(std::make_unique<Program>()) {}
SshConfig::~SshConfig() = default;

std::shared_ptr<const SshConfig> SshConfig::load(const std::vector<File>& files,
                                                 const ConfigIdentity& identity, const Reader& reader) {
    auto config = std::make_shared<SshConfig>();
    config->program_->identity = identity;
    config->program_->on_disk = !reader;
    const Reader read = reader ? reader : Reader(read_if_safe);
    for (const File& file : files) {
        const auto text = reader || file.is_user ? read(file.path) : read_from_disk(file.path);
        if (text) config->program_->units.push_back(parse_config(file, *text, *config->program_, read));
    }
    return config;
}

HostSettings SshConfig::resolve(const ConfigQuery& query, const Exec& exec) const {
    return Evaluation(*program_, query, exec).run();
}

bool SshConfig::uses_exec() const noexcept { return program_->uses_exec; }

}  // namespace volley::transports::ssh
