#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/project/project.hpp"
#include "support/json/json.hpp"
#include "support/log.hpp"

namespace volley::transports {
std::string_view default_transport();
}

namespace volley::inventory {

/// What the command line says; everything absent is absent.
struct Overrides {
    std::optional<std::string> project;  ///< --project
    bool old_projects = false;           ///< a bolt.yaml marks a project, too (project migrate)
    std::optional<std::filesystem::path> inventory_file;  ///< --inventoryfile
    std::optional<std::string> modulepath;                ///< text as given, ':' separated
    std::optional<std::filesystem::path> hiera_config;
    std::optional<std::string> apply_method;  ///< --apply-method
    std::optional<bool> show_diff;            ///< of `apply-settings`
    bool usually_show_diff = false;           ///< where `apply-settings` says nothing of it
    /// Which resources of a catalog are applied, as Puppet's settings `tags`, `skip_tags`, `ignoreschedules`.
    /// Object; null: all.
    std::shared_ptr<const Json> applied_part;
    std::optional<long> concurrency;
    std::optional<long> compile_concurrency;
    std::optional<std::string> format;
    std::optional<bool> color;
    std::optional<bool> save_rerun;
    std::optional<bool> journal;
    std::optional<bool> stream;
    std::optional<bool> adhoc_targets;
    std::optional<bool> trace;
    std::optional<LogLevel> log_level;
    std::optional<std::string> puppetdb_instance;  ///< --puppetdb
    std::optional<std::string> transport;
    /// Transport options by their configuration names ("user", "run-as", "connect-timeout" ...), applied to
    /// every transport that knows them, below the inventory (OPT-049). Object; null when none.
    std::shared_ptr<const Json> transport_options;
};

struct LogFile {
    std::filesystem::path path;
    LogLevel level = LogLevel::Warn;
    bool append = true;
};

/// All configuration levels merged (CFG-001 to CFG-016), validated, with paths made absolute.
class Config {
public:
    Project project;
    long concurrency = 100;
    bool concurrency_lowered =
        false;  ///< nobody chose it and the limit of open files made it small (CFG-024)
    long compile_concurrency = 1;
    std::string format = "human";
    std::string apply_method = "auto";  ///< or agentless, puppet-agent
    bool color = true;
    bool spinner = true;
    bool stream = false;
    bool trace = false;
    bool save_rerun = true;
    bool journal = true;      ///< runs are recorded
    long journal_days = 90;   ///< how long
    long journal_size = 256;  ///< MiB of all of them together
    /// Whether targets may be used that the inventory's source does not define; nullopt: as UnknownNames
    /// says.
    std::optional<bool> adhoc_targets;
    std::optional<long> confirm_targets;    ///< more of them are asked about; nullopt: never
    bool confirm_without_terminal = false;  ///< where nobody can be asked, --yes is needed
    /// What the options of the same names say when they are not given. Shares are texts: "5", "10%".
    std::optional<std::string> group;  ///< "auto", "on" or "off"
    std::optional<bool> live;
    std::optional<bool> verbose;
    std::optional<long> timeout;
    std::optional<std::string> batch;
    std::optional<std::string> max_failures;
    bool script_interpreter = false;  ///< future.script_interpreter (SH-019)
    LogLevel console_level = LogLevel::Warn;
    bool console_log = true;                        ///< false: `log: {console: disable}` (LOG-005)
    std::vector<LogFile> log_files;                 ///< bolt-debug.log included unless disabled
    std::vector<std::filesystem::path> modulepath;  ///< user part: configured or "modules", then ".modules"
    std::filesystem::path inventory_file;  ///< chosen file; need not exist when it is the default one
    bool inventory_file_is_default = true;
    std::filesystem::path rerun_file;
    std::filesystem::path hiera_config;
    std::string puppetdb_instance;  ///< of puppetdb-instances; empty: the section puppetdb itself
    std::string transport{transports::default_transport()};  ///< global default
    /// What the command line says of transports, for the warning cli_overrides: options as in
    /// Overrides::transport_options, "transport" too; null when nothing.
    std::shared_ptr<const Json> command_line_options;
    /// transport name -> section from bolt-defaults and the command line, not merged with built-in defaults.
    std::map<std::string, std::shared_ptr<const Json>> transport_sections;
    std::vector<std::string> disabled_warnings;
    std::optional<std::vector<std::string>> task_filter;  ///< `tasks` key (MOD-012)
    std::optional<std::vector<std::string>> plan_filter;
    std::shared_ptr<const Json> plugins;  ///< `plugins`, shallow-merged per plugin
    std::shared_ptr<const Json> plugin_hooks;
    std::shared_ptr<const Json> applied_part;  ///< as in Overrides
    std::shared_ptr<const Json> raw;           ///< every other key, merged, for the components that use it
};

/// Throws Error: bolt/validation-error (all faults of a file in one message, each with file:line and a hint),
/// bolt/file-error, bolt/project-error, ...
Config load_config(const ProcessContext& process, const Overrides& overrides);

}  // namespace volley::inventory
