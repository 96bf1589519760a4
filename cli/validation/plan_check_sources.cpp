#include "cli/validation/plan_check_sources.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "cli/compile/legacy_facts.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

/// What the compiler sets, and the structured facts of facter 3 and 4.
constexpr auto usual_variables = std::to_array<std::string_view>({"aio_agent_version",
                                                                  "augeas",
                                                                  "az_metadata",
                                                                  "caller_module_name",
                                                                  "chassistype",
                                                                  "clientcert",
                                                                  "clientnoop",
                                                                  "clientversion",
                                                                  "cloud",
                                                                  "dhcp_servers",
                                                                  "disks",
                                                                  "dmi",
                                                                  "ec2_metadata",
                                                                  "ec2_userdata",
                                                                  "env_windows_installdir",
                                                                  "environment",
                                                                  "facterversion",
                                                                  "facts",
                                                                  "filesystems",
                                                                  "fips_enabled",
                                                                  "gce",
                                                                  "hypervisors",
                                                                  "identity",
                                                                  "is_virtual",
                                                                  "kernel",
                                                                  "kernelmajversion",
                                                                  "kernelrelease",
                                                                  "kernelversion",
                                                                  "ldom",
                                                                  "load_averages",
                                                                  "memory",
                                                                  "module_name",
                                                                  "mountpoints",
                                                                  "name",
                                                                  "networking",
                                                                  "nim_type",
                                                                  "os",
                                                                  "partitions",
                                                                  "path",
                                                                  "processors",
                                                                  "puppetversion",
                                                                  "ruby",
                                                                  "scope6",
                                                                  "server_facts",
                                                                  "serverip",
                                                                  "servername",
                                                                  "serverversion",
                                                                  "settings",
                                                                  "solaris_zones",
                                                                  "ssh",
                                                                  "system_profiler",
                                                                  "system_uptime",
                                                                  "timezone",
                                                                  "title",
                                                                  "trusted",
                                                                  "uptime",
                                                                  "uptime_days",
                                                                  "uptime_hours",
                                                                  "uptime_seconds",
                                                                  "virtual",
                                                                  "xen",
                                                                  "zfs_featurenumbers",
                                                                  "zfs_version",
                                                                  "zones",
                                                                  "zpool_featureflags",
                                                                  "zpool_featurenumbers",
                                                                  "zpool_version"});

class CatalogVariables {
public:
    explicit CatalogVariables(Session& session) : session_(session) {}

    bool knows(const std::string& name) {
        if (std::ranges::find(usual_variables, name) != usual_variables.end() || place_of_legacy_fact(name))
            return true;
        return of_targets().contains(name) || facts_of_modules().find(name) != std::string::npos;
    }

private:
    static void add_keys(const Json& data, std::set<std::string>& names) {
        if (!data.is_object()) return;
        for (const auto& [key, ignored] : data.items()) names.insert(key);
    }

    const std::set<std::string>& of_targets() {
        if (targets_) return *targets_;
        targets_.emplace();
        try {
            inventory::Inventory& inventory = session_.inventory();
            for (const std::string& name : inventory.target_names()) {
                const inventory::Target target = inventory.target(name);
                add_keys(target.vars(), *targets_);
                add_keys(target.facts(), *targets_);
            }
        } catch (const Error&) {
            return *targets_;  // an inventory that cannot be read is not a fault of a plan
        }
        return *targets_;
    }

    /// The texts of custom facts: a name that occurs there may be one.
    const std::string& facts_of_modules() {
        if (facts_) return *facts_;
        facts_.emplace();
        for (const std::string& name : session_.library().module_names()) {
            const tasks::Module* module = session_.library().find_module(name);
            if (!module) continue;
            for (const char* part : {"lib/facter", "facts.d"}) add_texts(module->path / part);
        }
        return *facts_;
    }

    void add_texts(const fs::path& folder) {
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
            std::error_code ignored;
            if (fs::is_regular_file(at->path(), ignored))
                *facts_ += at->path().string() + read_file(at->path(), "fact");
        }
    }

    Session& session_;
    std::optional<std::set<std::string>> targets_;
    std::optional<std::string> facts_;
};

}  // namespace

std::function<bool(const std::string& name)> catalog_variables(Session& session) {
    return [known = std::make_shared<CatalogVariables>(session)](const std::string& name) {
        return known->knows(name);
    };
}

}  // namespace volley::cli
