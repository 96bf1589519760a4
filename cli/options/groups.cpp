#include "cli/options/groups.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cli/outputters/outputter.hpp"
#include "cli/outputters/result_fields.hpp"
#include "planner/fibers/duration.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"
#include "transports/transport.hpp"

namespace volley::cli {
namespace {

/// Stores a transport option under its configuration name.
std::function<void(const std::string&)> store(TransportOptions& transport, std::string key) {
    return [&transport, key = std::move(key)](const std::string& value) { (*transport.values)[key] = value; };
}

std::function<void(long)> store_number(TransportOptions& transport, std::string key) {
    return [&transport, key = std::move(key)](long value) { (*transport.values)[key] = value; };
}

std::function<void(bool)> store_toggle(TransportOptions& transport, std::string key) {
    return [&transport, key = std::move(key)](bool value) { (*transport.values)[key] = value; };
}

std::function<void(const std::string&)> store_path(TransportOptions& transport, std::string key,
                                                   const ParserHost& host) {
    return [&transport, key = std::move(key), &host](const std::string& value) {
        (*transport.values)[key] = host.expand_path(value);
    };
}

std::shared_ptr<const Json> parse_params(const std::string& text) {
    std::string fault;
    Json params = try_parse_json(text, fault);
    if (params.is_discarded()) {
        // The text may hold secrets, so it is not repeated.
        throw Error("bolt/cli-error", "Unable to parse --params value as JSON: " + fault);
    }
    if (!params.is_object()) {
        throw Error("bolt/cli-error",
                    "The --params value must be a JSON object, such as '{\"name\": \"value\"}'");
    }
    return std::make_shared<const Json>(std::move(params));
}

/// Names of tags with commas between them, without blanks.
std::string tag_list(const std::string& value) {
    std::vector<std::string> tags;
    for (const std::string& part : split(value, ',')) {
        if (const auto tag = trim(part); !tag.empty()) tags.emplace_back(tag);
    }
    if (tags.empty())
        throw Error("bolt/cli-error", "'" + value + "' contains no tag; pass one or more, such as 'web,db'");
    return join(tags, ",");
}

/// "@last:ok" is a set of targets, unless it is a file as it is in Bolt.
bool is_target_set(const std::string& value, const ParserHost& host) {
    if (!value.starts_with("@rerun:") && !value.starts_with("@last:")) return false;
    std::error_code ignored;
    return !std::filesystem::exists(host.expand_path(value.substr(1)), ignored);
}

/// --NAME and --NAME-prompt, the two ways to hand over a secret. `purpose`: "to log in with".
void add_secret(OptionBuilder& b, TransportOptions& transport, const std::string& name,
                const std::string& letter, const std::string& purpose, const std::string& question) {
    const ParserHost& host = b.host();
    b.text(letter + "--" + name, "PASSWORD",
           "Password " + purpose + "; other users can see it, prefer --" + name + "-prompt.",
           store(transport, name));
    b.flag("--" + name + "-prompt", "Ask for the password " + purpose + ".",
           [&transport, &host, name, question] { store(transport, name)(host.read_password(question)); });
}

}  // namespace

std::vector<std::string> working_transports() {
    std::vector<std::string> names;
    for (const transports::TransportSpec& spec : transports::transport_specs()) names.emplace_back(spec.name);
    std::sort(names.begin(), names.end());
    return names;
}

TransportOptions::TransportOptions() : values(std::make_shared<Json>(Json::object())) {}

void add_target_options(OptionBuilder& b, TargetOptions& target, ActionOptions& action,
                        DisplayOptions& display) {
    const ParserHost& host = b.host();  // outlives the builder, as the callbacks do
    b.heading("Inventory options");
    b.text(
        "-t,--targets", "TARGETS",
        "Targets to act on: names, groups, globs, ranges or URIs, separated by commas; '!X' leaves out, '&X' "
        "keeps what is in both; '@rerun:failure' is the last run's; '@file' and '-' read them.",
        [&](const std::string& value) {
            target.targets.push_back(is_target_set(value, host) ? value : host.read_argument(value));
        });
    b.text("-q,--query", "QUERY", "Choose targets with a PuppetDB query.",
           [&](const std::string& value) { target.query = value; });
    b.text("--rerun", "FILTER", "Act again on targets of the last run: all, failure or success.",
           [&](const std::string& value) { target.rerun = value; }, {"all", "failure", "success"});
    b.text("--limit", "TARGETS", "Of the chosen targets only these, named as for --targets.",
           [&](const std::string& value) { target.limit.push_back(value); });
    b.text("--exclude", "TARGETS", "Of the chosen targets not these, named as for --targets.",
           [&](const std::string& value) { target.exclude.push_back(value); });
    b.number("--sample", "COUNT", "Of the chosen targets that many, at random.", [&](long value) {
        if (value < 1) throw Error("bolt/cli-error", "Option '--sample' needs a number of targets above 0");
        target.sample = value;
    });
    b.toggle("--adhoc-targets",
             "Accept any target that the inventory does not define, or none (default: addresses).",
             [&](bool value) { target.adhoc = value; });
    b.flag("--allow-adhoc", "The same as --adhoc-targets.", [&] { target.adhoc = true; });
    b.flag("--noop", "Show what would change; change nothing.", [&] { action.noop = true; });
    b.text("--params", "PARAMETERS", "Parameters as a JSON object; '@file' and '-' read it.",
           [&](const std::string& value) { action.params = parse_params(host.read_argument(value)); });
    b.text("-e,--execute", "CODE", "Puppet code to apply.",
           [&](const std::string& code) { action.code = code; });
    b.flag("--graph", "Show groups and their targets as a tree.", [&] { display.graph = true; });
    b.flag("--detail", "Show each target's merged configuration and data.", [&] { display.detail = true; });
}

void add_authentication_options(OptionBuilder& b, TransportOptions& transport) {
    const ParserHost& host = b.host();  // outlives the builder, as the callbacks do
    b.heading("Authentication options");
    b.text("-u,--user", "USER", "User to log in as.", store(transport, "user"));
    add_secret(b, transport, "password", "-p,", "to log in with", "Please enter your password: ");
    b.text("--private-key", "KEY", "Private key file to log in with.",
           store_path(transport, "private-key", host));
    b.toggle("--host-key-check", "Check the host keys of SSH servers.",
             store_toggle(transport, "host-key-check"));
    b.toggle("--ssl", "Use TLS with WinRM.", store_toggle(transport, "ssl"));
    b.toggle("--ssl-verify", "Verify the server's certificate with WinRM.",
             store_toggle(transport, "ssl-verify"));
}

void add_escalation_options(OptionBuilder& b, TransportOptions& transport) {
    b.heading("Escalation options");
    b.text("--run-as", "USER", "User to become on the target.", store(transport, "run-as"));
    add_secret(b, transport, "sudo-password", "", "for sudo",
               "Please enter your privilege escalation password: ");
    b.text("--sudo-executable", "EXEC", "Program to use in place of sudo.",
           store(transport, "sudo-executable"));
}

void add_run_options(OptionBuilder& b, RunOptions& run, TransportOptions& transport, ActionOptions& action) {
    const ParserHost& host = b.host();  // outlives the builder, as the callbacks do
    b.heading("Run context options");
    b.number("-c,--concurrency", "CONCURRENCY", "How many targets to work on at once (default 100).",
             [&](long value) { run.concurrency = value; });
    b.number("--compile-concurrency", "CONCURRENCY",
             "How many catalogs to compile at once (default: all cores).",
             [&](long value) { run.compile_concurrency = value; });
    b.toggle("--cleanup", "Remove temporary files from targets afterwards.",
             store_toggle(transport, "cleanup"));
    b.text("-m,--modulepath", "MODULES", "Folders that hold modules, separated by ':'.",
           [&](const std::string& value) { run.modulepath = value; });
    b.text("--project", "PATH", "Project to use (default: found from the current folder upward).",
           [&](const std::string& value) { run.project = value; });
    b.text("--hiera-config", "PATH", "Hiera configuration (default: hiera.yaml of the project).",
           [&](const std::string& value) { run.hiera_config = host.expand_path(value); });
    b.choice(
        "--apply-method", "METHOD",
        "Who applies manifests: agentless (nothing is needed on targets), puppet-agent, or auto: agentless "
        "where it can (default: auto).",
        {"agentless", "auto", "puppet-agent"}, [&](const std::string& value) { run.apply_method = value; });
    b.flag("--show-legacy", "Also show the facts that Facter hides, such as osfamily.",
           [&] { action.show_legacy = true; });
    b.flag("--clean-state", "Remove Volley's agent and what it remembers from the targets.",
           [&] { action.clean_state = true; });
    b.toggle(
        "--show-diff",
        "Show how applying changes the content of files (default: as apply-settings says; with --noop on "
        "a terminal: yes).",
        [&](bool value) { run.show_diff = value; });
    b.text("--tags", "TAG,...", "Apply only resources with one of these tags.",
           [&](const std::string& value) { run.tags = tag_list(value); });
    b.text("--skip-tags", "TAG,...", "Apply no resources with one of these tags.",
           [&](const std::string& value) { run.skip_tags = tag_list(value); });
    b.flag("--ignore-schedules", "Apply resources outside of their schedule, too.",
           [&] { run.ignore_schedules = true; });
    b.text("-i,--inventoryfile", "PATH", "Inventory (default: inventory.yaml of the project).",
           [&](const std::string& value) {
               if (host.inventory_in_environment) {
                   throw Error("bolt/cli-error", "Cannot pass inventory file when BOLT_INVENTORY is set");
               }
               run.inventory_file = host.expand_path(value);
           });
    b.flag("--dry-run", "Show what would run where; connect to nothing.", [&] { action.dry_run = true; });
    b.toggle("--save-rerun", "Remember the results for --rerun.",
             [&](bool value) { run.save_rerun = value; });
    b.text("--puppetdb", "INSTANCE", "Name of the PuppetDB instance to ask.",
           [&](const std::string& value) { run.puppetdb = value; });

    b.heading("Remote environment options");
    b.text("--env-var", "NAME=VALUE", "Environment variable to set on the target; may be repeated.",
           [&](const std::string& value) {
               const std::size_t equals = value.find('=');
               if (equals == std::string::npos) {
                   throw Error(
                       "bolt/cli-error",
                       "Environment variables must be given as 'NAME=VALUE', which '" + value + "' is not");
               }
               const std::string name = value.substr(0, equals);
               std::erase_if(action.environment, [&](const auto& pair) { return pair.first == name; });
               action.environment.emplace_back(name, value.substr(equals + 1));
           });
}

namespace {

/// Seconds, whole or with a fraction.
std::chrono::nanoseconds seconds_of(const std::string& option, const std::string& text) {
    double seconds = 0;
    const auto [stopped, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (problem == std::errc() && stopped == text.data() + text.size() && seconds > 0)
        return planner::bounded_duration(seconds);
    throw Error("bolt/cli-error", "Invalid parameter specified for option '--" + option + "': " + text +
                                      " (a number of seconds above 0 is needed)");
}

planner::Share share_of(const std::string& option, const std::string& text) {
    if (const auto share = planner::parse_share(text)) return *share;
    throw Error("bolt/cli-error", "Invalid parameter specified for option '--" + option + "': " + text +
                                      " (a number of targets, or a part of them such as 10%, is needed)");
}

}  // namespace

void add_rollout_options(OptionBuilder& b, planner::Rollout& rollout) {
    b.heading("Rollout options");
    b.text("--batch", "SIZE", "Run on this many targets at a time ('5' or '10%').",
           [&](const std::string& value) { rollout.batch = share_of("batch", value); });
    b.text("--batch-wait", "SECONDS", "Seconds to wait between batches.",
           [&](const std::string& value) { rollout.batch_wait = seconds_of("batch-wait", value); });
    b.number("--canary", "COUNT", "Run on this many targets first; on the rest only if all succeed.",
             [&](long value) {
                 if (value < 1)
                     throw Error("bolt/cli-error", "Option '--canary' needs a number of targets above 0");
                 rollout.canary = static_cast<std::size_t>(value);
             });
    b.text("--max-failures", "LIMIT", "Start no more targets after this many failures ('3' or '5%').",
           [&](const std::string& value) { rollout.max_failures = share_of("max-failures", value); });
    b.flag("--fail-fast", "Start no more targets after the first failure.", [&] {
        rollout.max_failures = planner::Share{1, false};
    });
    b.text("--timeout", "SECONDS", "Time limit per target.",
           [&](const std::string& value) { rollout.timeout = seconds_of("timeout", value); });
    b.text("--total-timeout", "SECONDS", "Time limit for the whole run.",
           [&](const std::string& value) { rollout.total_timeout = seconds_of("total-timeout", value); });
}

void add_transport_options(OptionBuilder& b, TransportOptions& transport) {
    b.heading("Transport options");
    b.choice("--transport", "TRANSPORT", "Transport of targets that name none.",
             transports::known_transport_names(),
             [&](const std::string& value) { transport.transport = value; });
    b.offer(working_transports());
    b.toggle("--native-ssh", "Run the ssh program in place of the built-in SSH.",
             store_toggle(transport, "native-ssh"));
    b.text("--ssh-command", "EXEC", "The ssh program for --native-ssh.", store(transport, "ssh-command"));
    b.text("--copy-command", "EXEC", "The program that copies files for --native-ssh.",
           store(transport, "copy-command"));
    b.number("--connect-timeout", "TIMEOUT", "Seconds to wait for a connection.",
             store_number(transport, "connect-timeout"));
    b.toggle("--tty", "Ask targets for a terminal.", store_toggle(transport, "tty"));
    b.text("--tmpdir", "DIR", "Folder for temporary files on targets.", store(transport, "tmpdir"));
    b.choice("--choria-task-agent", "AGENT", "Choria agent that runs tasks.", {"bolt_tasks", "shell"},
             store(transport, "task-agent"));
    b.text("--choria-config-file", "PATH", "Choria client configuration.", store(transport, "config-file"));
    b.text("--choria-mcollective-certname", "NAME", "Choria client identity.",
           store(transport, "mcollective-certname"));
    b.text("--choria-ssl-ca", "PATH", "CA certificate for Choria.", store(transport, "ssl-ca"));
    b.text("--choria-ssl-cert", "PATH", "Client certificate for Choria.", store(transport, "ssl-cert"));
    b.text("--choria-ssl-key", "PATH", "Client key for Choria.", store(transport, "ssl-key"));
    b.text("--choria-collective", "NAME", "Choria collective.", store(transport, "collective"));
    b.text("--choria-puppet-environment", "ENV", "Puppet environment that Choria takes task files from.",
           store(transport, "puppet-environment"));
    b.number("--choria-rpc-timeout", "SECONDS", "Seconds to wait for a Choria reply.",
             store_number(transport, "rpc-timeout"));
    b.number("--choria-task-timeout", "SECONDS", "Seconds to wait for a task over Choria.",
             store_number(transport, "task-timeout"));
    b.number("--choria-command-timeout", "SECONDS", "Seconds to wait for a command over Choria.",
             store_number(transport, "command-timeout"));
    b.text("--choria-brokers", "BROKERS", "Choria brokers, separated by commas.",
           [&](const std::string& value) { (*transport.values)["brokers"] = split(value, ','); });
    b.number("--choria-broker-timeout", "SECONDS", "Seconds to wait for a Choria broker.",
             store_number(transport, "broker-timeout"));
    b.hide("choria-");  // thirteen that few need: docs/choria.md has them
}

void add_node_options(OptionBuilder& b, NodeOptions& node, std::string facts) {
    const auto keep = [](std::optional<std::string>& into) {
        return [&into](const std::string& value) { into = value; };
    };
    b.text("--node", "NAME", "Certname of the node.", keep(node.node));
    b.text("--facts", "FILE", std::move(facts), keep(node.facts));
    b.text("--environment", "NAME", "Environment of the node (default production).", keep(node.environment));
    b.text("--environmentpath", "DIRS",
           "Folders of environments; else the project's modules and data are used.",
           keep(node.environmentpath));
}

namespace {

/// What `volley lookup` takes beside targets.
void add_lookup_options(OptionBuilder& b, LookupOptions& lookup) {
    const auto keep = [](std::optional<std::string>& into) {
        return [&into](const std::string& value) { into = value; };
    };
    b.flag("--explain", "Show where a value came from.", [&] { lookup.explain = true; });
    b.flag("--explain-options", "Show how lookup_options were found.",
           [&] { lookup.explain_options = true; });
    b.text("--merge", "STRATEGY", "How values of several levels become one.", keep(lookup.merge),
           {"first", "unique", "hash", "deep"});
    b.text("--knock-out-prefix", "PREFIX",
           "With '--merge deep': remove elements that start with this prefix.",
           keep(lookup.knock_out_prefix));
    b.flag("--sort-merged-arrays", "With '--merge deep': sort lists.",
           [&] { lookup.sort_merged_arrays = true; });
    b.flag("--merge-hash-arrays", "With '--merge deep': merge hashes in lists.",
           [&] { lookup.merge_hash_arrays = true; });
    b.text("--type", "TYPE", "The data type that the value must have.", keep(lookup.type));
    b.text("--default", "VALUE", "The value when none is found.", keep(lookup.default_value));
    add_node_options(b, lookup, "Facts of the node, JSON or YAML.");
    b.text("--render-as", "FORMAT", "How the value is shown: s, json or yaml.", keep(lookup.render_as),
           {"s", "json", "yaml"});
}

}  // namespace

void add_content_options(OptionBuilder& b, ActionOptions& action, LookupOptions& lookup) {
    b.heading("Module options");
    b.toggle("--resolve", "Resolve the modules' dependencies before installing.",
             [&](bool value) { action.resolve = value; });
    b.heading("Lookup options");
    b.flag("--plan-hierarchy", "Look a key up in the plan hierarchy.", [&] { action.plan_hierarchy = true; });
    add_lookup_options(b, lookup);
    b.heading("Plan options");
    b.flag("--pp", "Create the plan in the Puppet language.", [&] { action.puppet_plan = true; });
    b.text("--script", "SCRIPT", "Create a plan around a script.",
           [&](const std::string& script) { action.plan_script = script; });
    b.flag("--dot", "Print the graph of a plan for Graphviz.", [&] { action.dot = true; });
    b.text("--plan-log", "FILE", "Write every finished step of the plan to a file.",
           [&](const std::string& file) { action.plan_log = file; });
    b.text("--resume", "FILE", "Take the steps that a recorded run had finished from its file.",
           [&](const std::string& file) { action.resume = file; });
    b.choice("--unknown", "HOW",
             "For actions that were started and whose outcome was not recorded: stop (default), run them "
             "again, or "
             "take them as done.",
             {"done", "run", "stop"}, [&](const std::string& value) { action.unknown = value; });
    b.text("--report", "FILE", "Write an HTML page about the run.",
           [&](const std::string& file) { action.report = file; });
}

void add_display_options(OptionBuilder& b, DisplayOptions& display, ActionOptions& action) {
    b.heading("Display options");
    b.text("--filter", "FILTER",
           "Show only results for which this expression of the Puppet language is true, such as "
           "'$value[exit_code] "
           "== 3'; of lists of tasks and plans, those whose name contains this.",
           [&](const std::string& value) { display.filter = value; });
    const std::vector<std::string> formats = output_formats();
    b.text(
        "--format", "FORMAT", "Output format: " + join(formats, ", ") + ".",
        [&](const std::string& value) { display.format = value; }, formats);
    b.text("--fields", "FIELDS",
           "Columns of the formats table, csv and markdown: target, status, message, stdout, value.KEY ...",
           [&](const std::string& value) { display.fields = parse_fields(value); });
    b.choice("--group", "WHEN",
             "Group identical results: auto (many on a terminal), on (also in JSON) or off.",
             {"auto", "off", "on"}, [&](const std::string& value) { display.grouping = value; });
    b.flag("--diff", "With groups: show how each differs from the largest.", [&] { display.diff = true; });
    b.text("--output-dir", "DIR", "Write each target's output to DIR/TARGET.",
           [&](const std::string& value) { display.output_dir = value; });
    b.flag("--to-yaml", "Show resources and facts as YAML.", [&] { display.yaml = true; });
    b.toggle("--color", "Use colors on a terminal.", [&](bool value) { display.color = value; });
    b.toggle("-v,--verbose", "Show what each target did.", [&](bool value) { display.verbose = value; });
    b.flag("--stream", "Show output as it arrives; with --no-verbose it is not shown again at the end.",
           [&] { display.stream = true; });
    b.toggle("--live", "Show live progress on a terminal (default).",
             [&](bool value) { display.live = value; });
    b.flag("--trace", "Show more about errors.", [&] { display.trace = true; });
    b.heading("Additional options");
    b.text("--modules", "MODULES", "Modules to install into a new project, separated by commas.",
           [&](const std::string& value) { action.modules = value; });
    b.flag("--force", "Overwrite existing files.", [&] { action.force = true; });
    b.flag("--yes", "Answer confirmation questions with yes.", [&] { action.yes = true; });
}

void add_global_options(OptionBuilder& b, Options& options) {
    b.heading("Global options");
    b.flag("-h,--help", "Show help.", [&] { options.help = true; });
    b.flag("--version", "Show the version.", [&] { options.version = true; });
    b.choice("--log-level", "LEVEL",
             "Least important messages to show: trace, debug, info, warn, error or fatal.",
             {"trace", "debug", "info", "warn", "error", "fatal"},
             [&](const std::string& value) { options.display.log_level = value; });
    b.toggle("--journal", "Record the run in the project's journal (see volley run list; default: on).",
             [&](bool value) { options.journal = value; });
    b.flag("--clear-cache", "Forget cached plugins, plans and tasks first.",
           [&] { options.run.clear_cache = true; });
    b.text("--plugin", "PLUGIN", "Plugin that keeps secrets.",
           [&](const std::string& value) { options.action.plugin = value; });
}

}  // namespace volley::cli
