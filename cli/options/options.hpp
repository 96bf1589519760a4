#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/rollout.hpp"
#include "support/json/json.hpp"

namespace volley::cli {

/// Which targets (OPT-001 to OPT-003). At most one of the three kinds (ARG-003).
struct TargetOptions {
    std::vector<std::string> targets;  ///< each already read through the @file and - rule
    std::optional<std::string> query;
    std::optional<std::string> rerun;

    std::optional<bool> adhoc;         ///< --[no-]adhoc-targets, --allow-adhoc
    std::vector<std::string> limit;    ///< --limit
    std::vector<std::string> exclude;  ///< --exclude
    std::optional<long> sample;        ///< --sample

    bool any() const noexcept { return !targets.empty() || query || rerun; }
};

/// How to reach them (authentication, escalation, transport; OPT-008 to OPT-016, OPT-027 to OPT-032).
struct TransportOptions {
    TransportOptions();
    std::optional<std::string> transport;
    std::shared_ptr<Json> values;  ///< object: configuration name -> value
};

/// An option as it was given.
struct GivenOption {
    std::string name;                  ///< long, with "no-" of a toggle
    std::optional<std::string> value;  ///< of those that take one
};

/// How the run itself behaves (OPT-017 to OPT-025).
struct RunOptions {
    std::optional<long> concurrency;
    std::optional<long> compile_concurrency;
    std::optional<std::string> project;
    std::optional<std::string> modulepath;
    std::optional<std::string> hiera_config;
    std::optional<std::string> apply_method;
    std::optional<bool> show_diff;         ///< --[no-]show-diff
    std::optional<std::string> tags;       ///< --tags, names with commas between them
    std::optional<std::string> skip_tags;  ///< --skip-tags
    bool ignore_schedules = false;         ///< --ignore-schedules
    std::optional<std::string> inventory_file;
    std::optional<bool> save_rerun;
    std::optional<std::string> puppetdb;
    bool clear_cache = false;
};

/// What is shown and how (OPT-038 to OPT-045).
struct DisplayOptions {
    std::optional<std::string> format;
    std::optional<bool> color;
    std::optional<bool> verbose;
    bool stream = false;
    std::optional<bool> live;  ///< --[no-]live
    bool trace = false;
    std::optional<std::string> log_level;
    std::optional<std::string> filter;
    bool detail = false;
    bool graph = false;                     ///< --graph of inventory show
    std::optional<std::string> grouping;    ///< --group: auto, on, off
    bool diff = false;                      ///< --diff
    std::vector<std::string> fields;        ///< --fields
    std::optional<std::string> output_dir;  ///< --output-dir
    bool yaml = false;                      ///< --to-yaml of resource and facts
};

/// What to do, beyond the words of the verb.
struct ActionOptions {
    bool noop = false;
    bool dry_run = false;                                          ///< --dry-run
    std::shared_ptr<const Json> params;                            ///< parsed --params; null when not given
    std::vector<std::pair<std::string, std::string>> environment;  ///< --env-var
    std::optional<std::string> code;                               ///< --execute of apply
    std::optional<std::string> modules;                            ///< --modules of project init
    std::optional<bool> resolve;                                   ///< --[no-]resolve of module install
    bool plan_hierarchy = false;
    bool clean_state = false;                ///< --clean-state of apply
    bool show_legacy = false;                ///< --show-legacy of facts
    bool yes = false;                        ///< --yes: no questions
    bool dot = false;                        ///< --dot of plan graph
    bool force = false;                      ///< --force of secret createkeys and module install
    std::optional<std::string> plugin;       ///< --plugin of the secret verbs
    bool puppet_plan = false;                ///< --pp
    std::optional<std::string> plan_script;  ///< --script
    std::optional<std::string> plan_log;     ///< --plan-log
    std::optional<std::string> resume;       ///< --resume
    std::optional<std::string> report;       ///< --report
    std::string unknown = "stop";            ///< --unknown: stop, run, done
};

/// The node that code or data are for, and its environment.
struct NodeOptions {
    std::optional<std::string> node;         ///< certname
    std::optional<std::string> facts;        ///< a file of them
    std::optional<std::string> environment;  ///< its name; "production" when it is not given
    std::optional<std::string> environmentpath;
};

/// `volley lookup` for one node.
struct LookupOptions : NodeOptions {
    bool explain = false;
    bool explain_options = false;
    std::optional<std::string> merge;
    std::optional<std::string> knock_out_prefix;
    bool sort_merged_arrays = false;
    bool merge_hash_arrays = false;
    std::optional<std::string> type;
    std::optional<std::string> default_value;
    std::optional<std::string> render_as;
};

struct Options {
    TargetOptions target;
    TransportOptions transport;
    RunOptions run;
    planner::Rollout rollout;
    DisplayOptions display;
    ActionOptions action;
    LookupOptions lookup;
    std::vector<GivenOption> given;  ///< all of them, in order
    std::optional<bool> journal;     ///< --[no-]journal
    bool help = false;
    bool version = false;
};

}  // namespace volley::cli
