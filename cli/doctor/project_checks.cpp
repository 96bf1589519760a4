#include "cli/doctor/project_checks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "cli/doctor/tracked_key.hpp"
#include "cli/outputters/fold_names.hpp"
#include "planner/module_install/module_spec.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "transports/transport.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

/// Of many targets with the same fault some are named.
constexpr std::size_t most_faults = 10;

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

class ProjectChecks {
public:
    explicit ProjectChecks(Session& session) : session_(session), config_(session.config()) {}

    std::vector<DoctorFinding> run() {
        project();
        inventory();
        modules();
        keys();
        known_hosts();
        return std::move(findings_);
    }

private:
    void add(Health health, std::string subject, std::string message, std::string advice = {}) {
        findings_.push_back({health, std::move(subject), std::move(message), std::move(advice)});
    }

    void project() {
        const fs::path& path = config_.project.path;
        if (!is_there(config_.project.project_file()))
            return add(Health::Warning, "project", "there is no bolt-project.yaml in " + path.string(),
                       "run 'volley project init' in the folder that is to be the project");
        if (!config_.project.name)
            return add(
                Health::Warning, "project",
                "the project in " + path.string() + " has no name, so its own tasks and plans are not found",
                "add 'name: NAME' to bolt-project.yaml");
        if (::access(path.c_str(), W_OK) != 0)
            return add(Health::Warning, "project", "you may not write to " + path.string(),
                       "results are not remembered for --rerun, unless you have a copy of your own");
        add(Health::Ok, "project", "'" + *config_.project.name + "' in " + path.string());
    }

    void inventory() {
        std::vector<std::string> names;
        try {
            inventory::Inventory& inventory = session_.inventory();
            if (!inventory.source_exists())
                return add(Health::Warning, "inventory", "there is no " + inventory.source(),
                           "write one ('volley guide inventory'), or name targets by their addresses");
            targets_ = inventory.resolve("all", inventory::TargetSyntax::CommandLine);
        } catch (const Error& error) {
            return add(Health::Error, "inventory", error.info().msg(), "correct it there");
        }
        std::size_t faults = 0;
        for (const inventory::Target& target : targets_) {
            if (const auto fault = fault_of(target); fault && ++faults <= most_faults)
                add(Health::Error, "inventory", target.safe_name() + ": " + *fault,
                    "see 'volley inventory show --detail -t " + shell_quote(target.safe_name()) + "'");
        }
        if (faults > most_faults)
            add(Health::Error, "inventory", fmt::format("{} more targets have faults", faults - most_faults),
                "correct the ones above first");
        if (faults == 0)
            add(Health::Ok, "inventory",
                fmt::format("{} target{} in {}", targets_.size(), targets_.size() == 1 ? "" : "s",
                            session_.inventory().source()));
    }

    /// What is wrong with a target's settings; collects its private key on the way.
    std::optional<std::string> fault_of(const inventory::Target& target) {
        try {
            static_cast<void>(target.transport_config());
            const auto options = target.options();
            const auto key = options->find("private-key");
            if (key != options->end() && key->is_string()) keys_.insert(key->get<std::string>());
            const auto check = options->find("host-key-check");
            const bool unchecked = check != options->end() && check->is_boolean() && !check->get<bool>();
            const transports::TransportSpec* transport = transports::find_transport(target.transport());
            if (transport != nullptr && transport->uses_known_hosts && !unchecked) checks_host_keys_ = true;
            return std::nullopt;
        } catch (const Error& error) {
            return error.info().msg();
        }
    }

    /// A module that comes with the program is not the one that the project asks for.
    bool is_installed(const std::string& name) {
        const tasks::Module* module = session_.library().find_module(name);
        return module != nullptr && !module->built_in;
    }

    void modules() {
        std::vector<std::string> missing;
        try {
            for (const modules::ModuleSpec& spec :
                 modules::read_project_specs(config_.project.project_file())) {
                if (!spec.name.name.empty() && !is_installed(spec.name.name))
                    missing.push_back(spec.name.full());
            }
        } catch (const Error& error) {
            if (is_there(config_.project.project_file()))
                return add(Health::Error, "modules", error.info().msg(), "correct it there");
        }
        if (!missing.empty())
            return add(Health::Error, "modules", "not installed: " + join(missing, ", "),
                       "run 'volley module install'");
        add(Health::Ok, "modules", fmt::format("{} can be used", session_.library().module_names().size()));
    }

    void keys() {
        const fs::path own = config_.project.path / "keys" / "private_key.pkcs7.pem";
        if (is_there(own)) keys_.insert(own.string());
        const std::size_t before = findings_.size();
        for (const std::string& name : keys_) key(expand_path(name, config_.project.path));
        if (findings_.size() == before && !keys_.empty())
            add(Health::Ok, "keys",
                fmt::format("{} private key{}", keys_.size(), keys_.size() == 1 ? "" : "s"));
    }

    void key(const fs::path& path) {
        const std::string text = path.string();
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0)
            return add(Health::Error, "keys", text + " does not exist",
                       "change private-key in the inventory, or leave it out to use the SSH agent");
        if (::access(path.c_str(), R_OK) != 0)
            return add(
                Health::Error, "keys", "you may not read " + text,
                "run 'chown " + std::to_string(::geteuid()) + " " + shell_quote(text) + "' as its owner");
        if ((status.st_mode & 077) != 0)
            add(Health::Error, "keys",
                fmt::format("others may use {} (mode {:04o})", text, status.st_mode & 07777),
                "run 'chmod 600 " + shell_quote(text) + "'");
        if (is_tracked(path))
            add(Health::Error, "keys", "git tracks the private key " + text,
                "run 'git rm --cached " + shell_quote(text) +
                    "', add it to .gitignore, and make a new key: whoever has the repository has this one");
    }

    void known_hosts() {
        if (!checks_host_keys_) return;
        const fs::path path = session_.process().home / ".ssh" / "known_hosts";
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0)
            return add(
                Health::Warning, "known_hosts", "there is no " + path.string(),
                "run 'ssh HOST' once for each host, or fetch the keys with ssh-keyscan and compare them");
        if ((status.st_mode & 022) != 0)
            return add(
                Health::Error, "known_hosts",
                fmt::format("others may change {} (mode {:04o})", path.string(), status.st_mode & 07777),
                "run 'chmod 644 " + shell_quote(path.string()) + "'");
        add(Health::Ok, "known_hosts", path.string());
    }

    Session& session_;
    const inventory::Config& config_;
    std::vector<DoctorFinding> findings_;
    std::vector<inventory::Target> targets_;
    std::set<std::string> keys_;
    bool checks_host_keys_ = false;
};

}  // namespace

std::string_view to_string(Health health) noexcept {
    return health == Health::Ok ? "ok" : health == Health::Warning ? "warning" : "error";
}

std::vector<DoctorFinding> check_project(Session& session) { return ProjectChecks(session).run(); }

}  // namespace volley::cli
