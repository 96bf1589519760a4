#include "cli/run/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/options/groups.hpp"
#include "cli/records/last_run.hpp"
#include "cli/run/session_plugins.hpp"
#include "cli/terminal/colors.hpp"
#include "cli/verb.hpp"
#include "inventory/puppetdb/puppetdb.hpp"
#include "inventory/targets/uri.hpp"
#include "planner/results/rerun.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "transports/transport.hpp"

namespace volley::cli {
namespace {

/// Which resources of catalogs are applied; null: all.
std::shared_ptr<const Json> applied_part(const RunOptions& options) {
    Json part = Json::object();
    if (options.tags) part["tags"] = *options.tags;
    if (options.skip_tags) part["skip_tags"] = *options.skip_tags;
    if (options.ignore_schedules) part["ignoreschedules"] = true;
    return part.empty() ? nullptr : std::make_shared<const Json>(std::move(part));
}

inventory::Overrides overrides_of(const CommandLine& line, const Console& console) {
    const Options& options = line.options;
    inventory::Overrides overrides;
    overrides.project = options.run.project;
    overrides.old_projects = line.verb != nullptr && line.verb->finds_old_projects;
    if (options.run.inventory_file) overrides.inventory_file = *options.run.inventory_file;
    overrides.modulepath = options.run.modulepath;
    if (options.run.hiera_config) overrides.hiera_config = *options.run.hiera_config;
    overrides.apply_method = options.run.apply_method;
    overrides.show_diff = options.run.show_diff;
    overrides.usually_show_diff = options.action.noop && console.is_terminal();
    overrides.applied_part = applied_part(options.run);
    overrides.concurrency = options.run.concurrency;
    overrides.compile_concurrency = options.run.compile_concurrency;
    overrides.format = options.display.format;
    overrides.color = options.display.color;
    overrides.save_rerun = options.run.save_rerun;
    overrides.journal = options.journal;
    if (options.display.stream) overrides.stream = true;
    if (options.display.trace) overrides.trace = true;
    if (options.display.log_level) overrides.log_level = parse_log_level(*options.display.log_level);
    overrides.puppetdb_instance = options.run.puppetdb;
    overrides.transport = options.transport.transport;
    if (!options.transport.values->empty()) overrides.transport_options = options.transport.values;
    overrides.adhoc_targets = options.target.adhoc;
    return overrides;
}

/// --transport with a name that only configurations know would fail target by target.
void check_transport(const CommandLine& line) {
    const auto& name = line.options.transport.transport;
    const bool acts = line.verb->needs_targets || (line.verb->noun == "plan" && line.verb->action == "run");
    if (!name || !acts || transports::find_transport(*name) != nullptr) return;
    throw Error("bolt/cli-error", "The transport '" + *name + "' is not in this version: use one of " +
                                      join(working_transports(), ", "));
}

/// Bolt's caches, in case the project is used with both programs (OPT-046).
void clear_caches(const inventory::Project& project) {
    for (const char* name : {".plugin_cache.json", ".task_cache.json", ".plan_cache.json"}) {
        std::error_code ignored;
        std::filesystem::remove(project.path / name, ignored);
    }
}

}  // namespace

Session::Session(const CommandLine& line, Console& console, inventory::ProcessContext process)
    : process_(std::move(process)), console_(console) {
    check_transport(line);
    config_ = std::make_unique<const inventory::Config>(
        inventory::load_config(process_, overrides_of(line, console)));
    OutputSettings settings;
    settings.color = config_->color && colors_wanted(process_);
    settings.verbose = line.options.display.verbose.value_or(config_->verbose.value_or(line.verbose()));
    settings.trace = config_->trace;
    settings.stream = config_->stream;
    settings.yaml = line.options.display.yaml;
    const std::string grouping = line.options.display.grouping.value_or(config_->group.value_or("auto"));
    settings.grouping = grouping == "on" ? Grouping::On : grouping == "off" ? Grouping::Off : Grouping::Auto;
    settings.diff = line.options.display.diff;
    settings.fields = line.options.display.fields;
    if (line.options.display.output_dir)
        output_dir_ = process_.working_directory / *line.options.display.output_dir;
    live_ = line.options.display.live.value_or(config_->live.value_or(true));
    outputter_ = make_outputter(config_->format, console_, settings);
    filter_results(line);
    start_logging();
    if (line.options.run.clear_cache) clear_caches(config_->project);
}

planner::Rollout Session::rollout(const CommandLine& line) const {
    planner::Rollout rollout = line.options.rollout;
    const auto share = [](const char* setting, const std::string& text) {
        if (const auto parsed = planner::parse_share(text)) return *parsed;
        throw Error("bolt/validation-error", "The setting '" + std::string(setting) + "' is '" + text +
                                                 "': a number of targets, or a part of them such as "
                                                 "'10%', is needed");
    };
    if (!rollout.batch && config_->batch) rollout.batch = share("batch", *config_->batch);
    if (!rollout.max_failures && config_->max_failures)
        rollout.max_failures = share("max-failures", *config_->max_failures);
    if (!rollout.timeout && config_->timeout) rollout.timeout = std::chrono::seconds(*config_->timeout);
    return rollout;
}

void Session::filter_results(const CommandLine& line) {
    if (!line.options.display.filter || line.verb->action == "show") return;
    if (config_->stream)
        throw Error(
            "bolt/cli-error",
            "Use either --filter or --stream: what arrives is shown before there is a result to filter");
    filter_ = std::make_unique<ResultFilter>(*line.options.display.filter);
    outputter_->set_filter([this](const planner::Result& result) { return filter_->matches(result); });
}

void Session::start_logging() {
    for (const std::string& id : config_->disabled_warnings) disable_warning(id);
    LogSettings settings;
    settings.console_level = config_->console_level;
    settings.console_color = config_->color && colors_wanted(process_) && ::isatty(STDERR_FILENO) == 1;
    settings.files = config_->log_files;
    settings.optional_file = config_->project.debug_log();
    if (console_.is_terminal()) settings.before_console = [this] { console_.hide_status(); };
    logging_ = std::make_unique<Logging>(std::move(settings));
}

inventory::PluginSet& Session::plugins() {
    if (!plugins_) plugins_ = make_session_plugins(*this);
    return *plugins_;
}

inventory::Inventory& Session::inventory() {
    if (!inventory_) {
        plugins();
        inventory_ = inventory::Inventory::load(process_, *config_, plugins_);
        inventory_->provide_sets([this](std::string_view set) { return target_set(set); });
    }
    return *inventory_;
}

const tasks::Library& Session::library() {
    if (!library_) library_ = std::make_unique<tasks::Library>(*config_, tasks::bundled_modules());
    return *library_;
}

std::vector<std::string> Session::target_specs(const TargetOptions& options) {
    if (options.query)
        return plugins().puppetdb({})->certnames(*options.query);  // --query, --rerun or --targets (OPT-002)
    if (options.rerun) return rerun_targets(*options.rerun);
    const bool says_nothing = std::ranges::all_of(options.targets, [](const std::string& spec) {
        return spec.find_first_not_of(" \t\r\n,") == std::string::npos;
    });
    if (!options.targets.empty() && says_nothing)
        throw Error("bolt/cli-error", "The option --targets names no target: its value is empty");
    return options.targets;
}

std::vector<inventory::Target> Session::targets(const TargetOptions& options) {
    return targets(options, target_specs(options));
}

std::vector<inventory::Target> Session::targets(const TargetOptions& options,
                                                const std::vector<std::string>& specs,
                                                inventory::UnknownNames typed) {
    // Nobody typed the names of an earlier run or of PuppetDB.
    const bool named = !options.query && !options.rerun;
    std::vector<inventory::Target> chosen = inventory().resolve(
        specs, inventory::TargetSyntax::CommandLine, named ? typed : inventory::UnknownNames::Accept);
    inventory::TargetNarrowing narrowing{options.limit, options.exclude, std::nullopt};
    if (options.sample) narrowing.sample = static_cast<std::size_t>(*options.sample);
    if (!narrowing.any()) return chosen;
    return inventory().narrow(std::move(chosen), narrowing);
}

/// "@rerun:failure", "@last:ok": targets of the last run.
std::vector<std::string> Session::target_set(std::string_view set) {
    const std::string which(set.substr(set.find(':') + 1));
    if (which == "ok") return rerun_targets("success");
    if (which == "failed") return rerun_targets("failure");
    try {
        return rerun_targets(which);
    } catch (const Error& error) {
        if (error.info().kind() != "bolt/cli-error") throw;
        throw Error("bolt/cli-error", "There is no set of targets '" + std::string(set) +
                                          "'; use 'all', 'failure' or 'success' after the colon");
    }
}

std::vector<std::string> Session::rerun_targets(const std::string& which) {
    return whole_names(planner::choose_rerun(last_run(*this), which));
}

/// Records hold no passwords (SEC-11), so a target whose name has one is found in the inventory by the rest
/// of it.
std::vector<std::string> Session::whole_names(std::vector<std::string> names) {
    std::map<std::string, std::string> whole;
    for (std::string& name : names) {
        if (name.find('@') == std::string::npos) continue;
        if (whole.empty()) {
            for (std::string& each : inventory().target_names())
                whole.emplace(inventory::without_password(each), each);
        }
        if (const auto found = whole.find(name); found != whole.end()) name = found->second;
    }
    return names;
}

bool Session::shows_status() const {
    const std::string terminal = process_.environment("TERM").value_or("");
    return console_.is_terminal() && outputter_->for_people() && config_->spinner && !terminal.empty() &&
           terminal != "dumb";
}

bool Session::shows_progress_lines() const {
    const std::string ci = process_.environment("CI").value_or("");
    return live_ && !console_.is_terminal() && outputter_->for_people() && config_->spinner && !ci.empty() &&
           ci != "false" && ci != "0";
}

std::filesystem::path find_local_file(Session& session, const std::string& path) {
    std::filesystem::path given(path);
    if (given.is_absolute()) return given;
    const std::filesystem::path local = session.process().working_directory / given;
    std::error_code ignored;
    if (std::filesystem::exists(local, ignored)) return given;
    return session.library().find_file(path).value_or(given);
}

namespace {

/// `above`: the folders on the way here, without links, so that a link that leads back to one of them is
/// found.
void check_readable_below(const std::filesystem::path& path, std::string_view what, bool folder_allowed,
                          std::vector<std::filesystem::path>& above) {
    const auto fail = [&](const std::string& problem) {
        throw Error("bolt/file-error", "The " + std::string(what) + " '" + path.string() + "' " + problem,
                    Json{{"path", path.string()}});
    };
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status)) fail("does not exist");
    if (::access(path.c_str(), R_OK) != 0) fail("is unreadable");
    if (!std::filesystem::is_directory(status)) return;
    if (!folder_allowed) fail("is not a file");
    const std::filesystem::path real = std::filesystem::canonical(path, problem);
    if (std::ranges::find(above, real) != above.end())
        fail("is a symbolic link that leads back to a directory above it");
    above.push_back(real);
    for (const auto& entry : std::filesystem::directory_iterator(path, problem)) {
        check_readable_below(entry.path(), what, folder_allowed, above);
    }
    if (problem) fail("is unreadable");
    above.pop_back();
}

}  // namespace

void check_readable(const std::filesystem::path& path, std::string_view what, bool folder_allowed) {
    std::vector<std::filesystem::path> above;
    check_readable_below(path, what, folder_allowed, above);
}

}  // namespace volley::cli
