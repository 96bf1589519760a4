#include "inventory/config/config.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "inventory/config/config_files.hpp"
#include "inventory/config/config_schema.hpp"
#include "inventory/config/merge.hpp"
#include "inventory/project/project_trust.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/process/parallel.hpp"
#include "support/text.hpp"
#include "support/yaml/document.hpp"
#include "transports/transport.hpp"

namespace volley::inventory {
namespace {

namespace fs = std::filesystem;

constexpr long usual_concurrency = 100;
constexpr rlim_t low_limit = 300;
constexpr long files_a_target = 7;

/// 100, or a seventh of the limit of open files where that is low (CFG-024).
long default_concurrency() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= low_limit) return usual_concurrency;
    return std::max(1L, static_cast<long>(limit.rlim_cur) / files_a_target);
}

/// CFG-002 to CFG-007: how one key of a higher level meets the same key of a lower one.
void merge_key(const std::string& key, Json& low, const Json& high) {
    constexpr std::string_view shallow[] = {"apply-settings", "log", "plugin-hooks", "puppetdb",
                                            "puppetdb-instances"};
    if (key == "plugins" && low.is_object() && high.is_object()) {
        for (const auto& [plugin, settings] : high.items()) shallow_merge(low[plugin], settings);
    } else if (transports::find_transport(key) != nullptr) {
        deep_merge(low, high);
    } else if (std::ranges::find(shallow, key) != std::end(shallow)) {
        shallow_merge(low, high);
    } else if (key == "disable-warnings") {
        for (const Json& id : high) low.push_back(id);
    } else if (key == "analytics") {
        low = low == true && high == true;
    } else {
        low = high;
    }
}

void merge_layer(Json& data, const Json& layer) {
    for (const auto& [key, value] : layer.items()) {
        if (data.contains(key)) {
            merge_key(key, data[key], value);
        } else {
            data[key] = value;
        }
    }
}

/// Options of transports whose value is a path: the command line's are relative to the current directory.
Json with_absolute_paths(Json options, const transports::TransportSpec& transport, const fs::path& base) {
    for (const transports::OptionSpec& option : transport.options) {
        const auto found = options.find(option.name);
        if (option.is_path && found != options.end() && found->is_string()) {
            *found = expand_path(found->get<std::string>(), base).string();
        }
    }
    return options;
}

Json known_options(const Json& options, const transports::TransportSpec& transport) {
    Json known = Json::object();
    for (const auto& [key, value] : options.items()) {
        if (std::ranges::find(transport.options, key, &transports::OptionSpec::name) !=
            transport.options.end()) {
            known[key] = value;
        }
    }
    return known;
}

/// The command line as one more layer.
Json override_layer(const ProcessContext& process, const Overrides& overrides) {
    Json layer = Json::object();
    const auto put = [&layer](const char* key, const auto& value) {
        if (value) layer[key] = *value;
    };
    put("concurrency", overrides.concurrency);
    put("compile-concurrency", overrides.compile_concurrency);
    put("format", overrides.format);
    put("transport", overrides.transport);
    const auto document = yaml::Document::from_json(layer, "command line");
    validate(document->root(), command_line_schema(process.output_formats), "command line");
    // OPT-048: switches can only be right, so the schema does not know them.
    put("color", overrides.color);
    put("save-rerun", overrides.save_rerun);
    put("journal", overrides.journal);
    put("stream", overrides.stream);
    put("adhoc-targets", overrides.adhoc_targets);
    // Compatibility (OPT-045): the level replaces the whole entry of the console.
    if (overrides.log_level) layer["log"]["console"]["level"] = std::string(to_string(*overrides.log_level));
    if (overrides.modulepath) {
        Json entries = Json::array();
        for (const std::string& entry : split(*overrides.modulepath, ':')) {
            if (!entry.empty()) entries.push_back(expand_path(entry, process.working_directory).string());
        }
        layer["modulepath"] = std::move(entries);
    }
    if (overrides.hiera_config) {
        layer["hiera-config"] =
            expand_path(overrides.hiera_config->string(), process.working_directory).string();
    }
    if (overrides.apply_method) layer["apply-method"] = *overrides.apply_method;
    if (overrides.show_diff) layer["apply-settings"]["show_diff"] = *overrides.show_diff;
    if (!overrides.transport_options || !overrides.transport_options->is_object()) return layer;
    for (const std::string& name : transports::known_transport_names()) {
        const transports::TransportSpec& transport = *transports::find_transport(name);
        Json known = known_options(*overrides.transport_options, transport);
        if (known.empty()) continue;
        layer[name] = with_absolute_paths(std::move(known), transport, process.working_directory);
    }
    return layer;
}

Json default_layer(const Project& project) {
    Json data{{"analytics", false},
              {"apply-method", "auto"},
              {"apply-settings", Json::object()},
              {"color", true},
              {"compile-concurrency", static_cast<long>(processor_count())},
              {"concurrency", default_concurrency()},
              {"disable-warnings", Json::array()},
              {"format", "human"},
              {"log", {{"console", Json::object()}}},
              {"module-install", Json::object()},
              {"plugin-hooks", Json::object()},
              {"plugins", Json::object()},
              {"puppetdb", Json::object()},
              {"puppetdb-instances", Json::object()},
              {"journal", true},
              {"journal-days", 90},
              {"journal-size", 256},
              {"save-rerun", true},
              {"spinner", true},
              {"stream", false},
              {"transport", std::string(transports::default_transport())}};
    std::error_code ignored;
    if (fs::is_directory(project.path, ignored)) {
        data["log"]["bolt-debug.log"] = Json{{"level", "debug"}, {"append", false}};
    }
    return data;
}

LogLevel level_of(const Json& entry) {
    const std::string name = entry.value("level", "warn");
    for (const LogLevel level :
         {LogLevel::Trace, LogLevel::Debug, LogLevel::Info, LogLevel::Error, LogLevel::Fatal}) {
        if (to_string(level) == name) return level;
    }
    return LogLevel::Warn;
}

/// Whether the default log could be had, found out without making or opening anything: a link may lead
/// anywhere, a FIFO would wait for a reader (SEC-12).
bool can_be_written(const fs::path& path) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) == 0)
        return S_ISREG(info.st_mode) && info.st_uid == ::geteuid() && info.st_nlink == 1 &&
               ::access(path.c_str(), W_OK) == 0;
    return errno == ENOENT && ::access(path.parent_path().c_str(), W_OK | X_OK) == 0;
}

/// The console, files by their paths, and bolt-debug.log unless it is disabled (LOG-004 to LOG-006).
void read_logs(const Json& logs, Config& config) {
    config.console_log = logs.contains("console") && logs["console"] != "disable";
    for (const auto& [key, entry] : logs.items()) {
        if (entry == "disable") continue;
        if (key == "console") {
            config.console_level = level_of(entry);
            continue;
        }
        LogFile file;
        const std::string_view name = key.starts_with("file:") ? std::string_view(key).substr(5) : key;
        file.path = expand_path(name, config.project.path);
        file.level = level_of(entry);
        file.append = entry.value("append", true);
        // The default file is dropped without a word when it cannot be had (compatibility).
        if (key == "bolt-debug.log" && !can_be_written(file.path)) continue;
        const auto same = std::ranges::find(config.log_files, file.path, &LogFile::path);
        if (same == config.log_files.end()) {
            config.log_files.push_back(std::move(file));
        } else {
            *same = std::move(file);
        }
    }
}

void require_readable_file(const fs::path& path, std::string_view what) {
    std::error_code failed;
    const auto status = fs::status(path, failed);
    std::string_view fault;
    if (!fs::exists(status)) {
        fault = "does not exist";
    } else if (fs::is_directory(status)) {
        fault = "is not a file";
    } else if (::access(path.c_str(), R_OK) != 0) {
        fault = "is unreadable";
    } else {
        return;
    }
    throw Error("bolt/file-error", fmt::format("The {} '{}' {}", what, path.string(), fault),
                Json{{"path", path.string()}});
}

/// Paths are relative to the project; hiera.yaml and modules/ are the defaults, and .modules/ is always part
/// of the modulepath (CFG-015, LAY-003, LAY-005, LAY-006).
void read_paths(Json& data, Config& config) {
    const Project& project = config.project;
    const fs::path managed = project.managed_modules();
    const bool chosen = data.contains("modulepath");
    if (!chosen) data["modulepath"] = Json::array({"modules"});
    const Json& modulepath = data["modulepath"];
    const auto add = [&](const std::string& entry) {
        if (entry.empty()) return;
        config.modulepath.push_back(expand_path(entry, project.path));
        std::error_code ignored;
        const bool usual =
            config.modulepath.back() == fs::path(project.path) / "modules";  // need not be there
        if (!chosen || usual || fs::is_directory(config.modulepath.back(), ignored)) return;
        log_warning(
            "missing_modulepath", "config",
            fmt::format("The folder {} of the modulepath does not exist", config.modulepath.back().string()));
    };
    if (modulepath.is_string()) {
        for (const std::string& entry : split(modulepath.get<std::string>(), ':')) add(entry);
    } else {
        for (const Json& entry : modulepath) add(entry.get<std::string>());
    }
    if (std::ranges::find(config.modulepath, managed) != config.modulepath.end()) {
        throw Error("bolt/validation-error",
                    fmt::format("The modulepath contains {}: that directory is always appended and cannot be "
                                "configured; take it out",
                                managed.string()));
    }
    config.modulepath.push_back(managed);
    for (const fs::path& folder : config.modulepath) check_path_trust(project, folder);
    config.hiera_config = project.default_hiera_config();
    for (const char* key : {"hiera-config", "trusted-external-command"}) {
        if (!data.contains(key)) continue;
        const fs::path path = expand_path(data[key].get<std::string>(), project.path);
        data[key] = path.string();
        require_readable_file(path, key);
        check_path_trust(project, path);
        if (key == std::string_view("hiera-config")) config.hiera_config = path;
    }
    config.rerun_file = project.default_rerun_file();
    if (data.contains("rerunfile") && data["rerunfile"].is_string()) {
        config.rerun_file = expand_path(data["rerunfile"].get<std::string>(), project.path);
    }
}

/// INV-001: which file; BOLT_INVENTORY is the inventory's own business.
void choose_inventory_file(const ProcessContext& process, const Overrides& overrides, Config& config) {
    config.inventory_file = config.project.default_inventory_file();
    std::error_code ignored;
    if (overrides.inventory_file) {
        config.inventory_file = expand_path(overrides.inventory_file->string(), process.working_directory);
        config.inventory_file_is_default = false;
        require_readable_file(config.inventory_file, "inventoryfile");
    } else if (fs::exists(config.inventory_file, ignored)) {
        require_readable_file(config.inventory_file, "inventory file");
    }
}

/// OPT-049: inventory values win over the command line, which surprises people, so the inventory compares.
void keep_command_line(const Overrides& overrides, Config& config) {
    Json options = overrides.transport_options ? *overrides.transport_options : Json::object();
    if (overrides.transport) options["transport"] = *overrides.transport;
    if (!options.empty()) config.command_line_options = std::make_shared<const Json>(std::move(options));
}

void limit_compile_concurrency(const Config& config) {
    const long limit = 2 * static_cast<long>(processor_count());
    if (config.compile_concurrency < limit) return;
    throw Error(
        "bolt/validation-error",
        fmt::format("compile-concurrency is {}, but compiling keeps a processor busy: choose less than {}",
                    config.compile_concurrency, limit));
}

std::optional<std::vector<std::string>> names(const Json& data, const char* key) {
    if (!data.contains(key)) return std::nullopt;
    std::vector<std::string> out;
    for (const Json& name : data[key]) {
        if (name.is_string()) out.push_back(name.get<std::string>());
    }
    return out;
}

void read_option_defaults(const Json& data, Config& config) {
    const auto boolean = [&data](const char* key) {
        return data.contains(key) ? std::optional(data[key].get<bool>()) : std::nullopt;
    };
    const auto text = [&data](const char* key) -> std::optional<std::string> {
        if (!data.contains(key)) return std::nullopt;
        return data[key].is_string() ? data[key].get<std::string>() : data[key].dump();
    };
    config.live = boolean("live");
    config.verbose = boolean("verbose");
    if (data.contains("timeout")) config.timeout = data["timeout"].get<long>();
    config.batch = text("batch");
    config.max_failures = text("max-failures");
    if (!data.contains("group")) return;
    const Json& group = data["group"];  // of YAML, on and off are booleans
    config.group = group.is_boolean() ? (group.get<bool>() ? "on" : "off") : group.get<std::string>();
}

void read_values(const Json& data, Config& config) {
    config.concurrency = data["concurrency"].get<long>();
    config.compile_concurrency = data["compile-concurrency"].get<long>();
    config.format = data["format"].get<std::string>();
    config.apply_method = data["apply-method"].get<std::string>();
    config.color = data["color"].get<bool>();
    config.spinner = data["spinner"].get<bool>();
    config.stream = data["stream"].get<bool>();
    config.save_rerun = data["save-rerun"].get<bool>();
    config.journal = data["journal"].get<bool>();
    config.journal_days = data["journal-days"].get<long>();
    config.journal_size = data["journal-size"].get<long>();
    if (data.contains("adhoc-targets")) config.adhoc_targets = data["adhoc-targets"].get<bool>();
    if (data.contains("confirm-targets")) config.confirm_targets = data["confirm-targets"].get<long>();
    config.confirm_without_terminal = data.value("confirm-without-terminal", false);
    read_option_defaults(data, config);
    config.script_interpreter = data.contains("future") && data["future"].value("script_interpreter", false);
    config.transport = data["transport"].get<std::string>();
    config.disabled_warnings = *names(data, "disable-warnings");
    config.task_filter = names(data, "tasks");
    config.plan_filter = names(data, "plans");
    config.plugins = std::make_shared<const Json>(data["plugins"]);
    config.plugin_hooks = std::make_shared<const Json>(data["plugin-hooks"]);
    if (data["plugins"].contains("puppetdb")) {
        throw Error("bolt/plugin-error",
                    "Configure PuppetDB with the option 'puppetdb', not under 'plugins'");
    }
}

void take_transports(Json& data, Config& config) {
    for (const std::string& name : transports::known_transport_names()) {
        if (!data.contains(name)) continue;
        config.transport_sections[name] = std::make_shared<const Json>(data[name]);
        data.erase(name);
    }
}

}  // namespace

Config load_config(const ProcessContext& process, const Overrides& overrides) {
    Config config;
    config.project = find_project(process, overrides.project, overrides.old_projects);
    Json data = default_layer(config.project);
    if (overrides.usually_show_diff) data["apply-settings"]["show_diff"] = true;
    std::vector<ConfigLayer> layers = read_defaults(process);
    layers.push_back(read_project_file(process, config.project));
    bool concurrency_chosen = overrides.concurrency.has_value();
    for (const ConfigLayer& layer : layers) {
        concurrency_chosen = concurrency_chosen || layer.data->contains("concurrency");
        merge_layer(data, *layer.data);
    }
    merge_layer(data, override_layer(process, overrides));
    take_transports(data, config);
    read_values(data, config);
    config.concurrency_lowered = !concurrency_chosen && config.concurrency < usual_concurrency;
    config.trace = overrides.trace.value_or(false);
    config.applied_part = overrides.applied_part;
    config.puppetdb_instance = overrides.puppetdb_instance.value_or("");
    read_paths(data, config);
    read_logs(data["log"], config);
    limit_compile_concurrency(config);
    choose_inventory_file(process, overrides, config);
    for (const std::string& id : config.disabled_warnings) disable_warning(id);
    keep_command_line(overrides, config);
    config.raw = std::make_shared<const Json>(std::move(data));
    return config;
}

}  // namespace volley::inventory
