#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/compile/data_lookup.hpp"
#include "cli/compile/json_input.hpp"
#include "cli/run/run_action.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "inventory/project/project_trust.hpp"
#include "language/errors.hpp"
#include "language/lookup/data/yaml_value.hpp"
#include "language/serialization/json.hpp"
#include "language/text/ruby_text.hpp"
#include "language/types/parse.hpp"
#include "planner/results/rerun.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/yaml/writer.hpp"

namespace volley::cli {
namespace {

constexpr auto lookup_verb_options = join_options(
    action_options, std::to_array<std::string_view>(
                        {"hiera-config", "plan-hierarchy", "explain", "explain-options", "merge",
                         "knock-out-prefix", "sort-merged-arrays", "merge-hash-arrays", "type", "default",
                         "facts", "node", "environment", "environmentpath", "render-as"}));

[[noreturn]] void lookup_usage_error(const std::string& message) { throw Error("bolt/cli-error", message); }

/// The hash that lookup() takes for --merge and the options that go with it.
Value lookup_merge(const LookupOptions& options) {
    const bool deep_only =
        options.knock_out_prefix || options.sort_merged_arrays || options.merge_hash_arrays;
    if (deep_only && options.merge.value_or("") != "deep") {
        lookup_usage_error(
            "--knock-out-prefix, --sort-merged-arrays and --merge-hash-arrays need '--merge deep'");
    }
    if (!options.merge) return {};
    const std::string& merge = *options.merge;
    if (merge != "first" && merge != "unique" && merge != "hash" && merge != "deep")
        lookup_usage_error("The --merge option only accepts 'first', 'unique', 'hash', or 'deep'");
    HashBuilder hash;
    hash.set("strategy", merge);
    if (merge == "deep") {
        hash.set("sort_merged_arrays", options.sort_merged_arrays)
            .set("merge_hash_arrays", options.merge_hash_arrays);
        if (options.knock_out_prefix) hash.set("knockout_prefix", *options.knock_out_prefix);
    }
    return hash.build();
}

/// Facts from a file, JSON or YAML by its name, else by what it looks like.
Value lookup_facts(const LookupOptions& options, const inventory::ProcessContext& process) {
    if (!options.facts) return {};
    const std::filesystem::path path = expand_path(*options.facts, process.working_directory);
    const std::string text = read_file(path, "facts");
    const Json json = path.extension() == ".yaml" || path.extension() == ".yml"
                          ? Json(Json::value_t::discarded)
                          : try_parse_json(text, value_json_limits);
    Value facts = json.is_discarded() ? lookup::yaml_value(text, path.string()) : from_json(json);
    if (!facts.is_hash()) {
        throw Error("bolt/file-error", "Incorrectly formatted data in " + path.string() +
                                           " given via the --facts flag (only accepts yaml and json files)");
    }
    return facts;
}

/// The words after the key: variables, as texts (CLI-008). Without a target they may be further keys.
struct LookupArguments {
    std::vector<std::string> keys;
    Value variables;
};

LookupArguments read_lookup_words(const CommandLine& line) {
    LookupArguments words;
    HashBuilder variables;
    if (line.object) words.keys.push_back(*line.object);
    for (const std::string& word : line.leftovers) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos)
            words.keys.push_back(word);
        else
            variables.set(word.substr(0, equals), word.substr(equals + 1));
    }
    words.variables = variables.build();
    return words;
}

std::shared_ptr<const DiskEnvironment> lookup_environment(Session& session, const LookupOptions& options) {
    DiskEnvironmentOptions disk{.name = options.environment.value_or("production"),
                                .environmentpath = {},
                                .modulepath = {},
                                .hiera_config = session.config().hiera_config};
    if (options.environmentpath)
        disk.environmentpath =
            split_search_path(*options.environmentpath, session.process().working_directory);
    else
        disk.modulepath = session.config().modulepath;
    if (disk.modulepath) {
        for (const std::filesystem::path& folder : *disk.modulepath)
            inventory::check_content_trust(session.config().project, folder);
    }
    return std::make_shared<const DiskEnvironment>(std::move(disk));
}

LookupRequest make_lookup_request(const LookupArguments& words, const LookupOptions& options) {
    LookupRequest request;
    request.names = words.keys;
    request.merge = lookup_merge(options);
    if (options.type) request.type = parse_type(*options.type);
    if (options.default_value) request.default_value = Value(*options.default_value);
    return request;
}

void print_rendered(Session& session, const Value& value, const std::string& format) {
    Console& console = session.console();
    if (format == "json")
        console.write_line(to_json(value).dump());
    else if (format == "s")
        console.write_line(ruby_to_s(value));
    else
        console.write(to_yaml(to_json(value)));
}

int explain_lookup(Session& session, const LookupAnswer& answer, const std::string& format) {
    if (format == "s")
        session.console().write(answer.explanation);
    else
        print_rendered(session, answer.explained, format);
    return 0;
}

/// Without targets: what `puppet lookup` does.
int look_up_for_node(Session& session, const LookupArguments& words, const LookupOptions& options) {
    const bool explains = options.explain || options.explain_options;
    const std::string format = options.render_as.value_or(explains ? "s" : "yaml");
    const bool only_options = options.explain_options && !options.explain;
    LookupArguments asked = words;
    if (asked.keys.empty() && only_options) asked.keys = {"__global__"};
    if (asked.keys.empty()) lookup_usage_error("Must specify a key to look up");
    LookupScope scope;
    scope.facts = lookup_facts(options, session.process());
    scope.variables = words.variables;
    if (options.node) scope.node = *options.node;
    const auto explanation = only_options ? LookupExplanation::OptionsOnly
                             : explains   ? LookupExplanation::Data
                                          : LookupExplanation::None;
    const LookupAnswer answer = look_up(lookup_environment(session, options), scope,
                                        make_lookup_request(asked, options), false, explanation);
    if (explains) return explain_lookup(session, answer, format);
    if (!answer.value) throw Error("bolt/pal-error", answer.problem);
    print_rendered(session, *answer.value, format);
    return 0;
}

/// HIE-004. JSN-005: the bare value.
int look_up_in_plan(Session& session, const LookupArguments& words, const LookupOptions& options) {
    if (words.keys.size() != 1) lookup_usage_error("Must specify a key to look up");
    LookupScope scope;
    scope.variables = words.variables;
    const LookupAnswer answer =
        look_up(lookup_environment(session, options), scope, make_lookup_request(words, options), true);
    if (!answer.value) throw Error("bolt/pal-error", answer.problem);
    const bool json = !session.out().for_people();
    session.console().write_line(json ? to_json(*answer.value).dump() : ruby_to_s(*answer.value));
    return 0;
}

planner::Result result_for_target(Session& session, const inventory::Target& target,
                                  const LookupArguments& words, const LookupOptions& options) {
    LookupScope scope;
    scope.node = target.name();
    scope.facts = from_json(target.facts());
    HashBuilder variables(from_json(target.vars()).as_hash());
    for (const auto& entry : words.variables.as_hash()) variables.set(entry.key, entry.value);
    scope.variables = variables.build();
    std::string problem;
    try {
        LookupAnswer answer =
            look_up(lookup_environment(session, options), scope, make_lookup_request(words, options));
        if (answer.value) {
            return planner::Result::of_value(target.name(), "lookup", words.keys[0],
                                             Json{{"value", to_json(*answer.value)}});
        }
        problem = answer.problem;
    } catch (const LanguageError& error) {
        problem = error.full_message();
    }
    // HIE-005; compatibility: the action is the general one.
    return planner::Result::of_error(target.name(), "action",
                                     ErrorInfo("puppetlabs.tasks/exception-error", problem));
}

/// HIE-003, with the facts that the inventory knows of the targets.
int look_up_for_targets(Session& session, const CommandLine& line, const LookupArguments& words) {
    if (words.keys.size() != 1) lookup_usage_error("Must specify a key to look up");
    std::vector<planner::Result> results;
    for (const inventory::Target& target : session.targets(line.options.target)) {
        results.push_back(result_for_target(session, target, words, line.options.lookup));
    }
    if (results.empty()) explain_no_targets(session, line.options.target);
    const planner::ResultSet all(std::move(results));
    if (session.config().save_rerun && all.size() > 0) planner::write_rerun(session.config().rerun_file, all);
    session.out().print_result_set(all);
    return all.ok() ? 0 : 1;
}

int run_lookup(Session& session, const CommandLine& line) {
    const LookupArguments words = read_lookup_words(line);
    const bool targets = line.options.target.any();
    if (targets && line.options.action.plan_hierarchy) {
        lookup_usage_error("The 'lookup' command accepts either targeting option OR --plan-hierarchy.");
    }
    try {
        if (targets) return look_up_for_targets(session, line, words);
        if (line.options.action.plan_hierarchy) return look_up_in_plan(session, words, line.options.lookup);
        return look_up_for_node(session, words, line.options.lookup);
    } catch (const LanguageError& error) {
        throw Error("bolt/pal-error", error.full_message());
    }
}

}  // namespace

const Verb& lookup_verb() {
    static constexpr Verb verb{
        .noun = "lookup",
        .action = {},
        .summary = "Look a value up with Hiera",
        .usage = "lookup <key> [variable=value ...] [options]",
        .description =
            "Finds the value of a key in Hiera's data. With targets, for each of them, with the facts and "
            "variables "
            "that the inventory has of it. With --plan-hierarchy, as a plan would see it. With neither, for "
            "one node "
            "(--node, --facts), as `puppet lookup` does; --explain then shows where the value came from.",
        .guide = "hiera",
        .examples =
            "volley lookup ntp::servers --targets web\n"
            "volley lookup api_key --plan-hierarchy\n"
            "volley lookup ntp::servers --node web1.example.com --facts facts.yaml --explain\n"
            "volley lookup users --merge deep --knock-out-prefix=--",
        .options = lookup_verb_options,
        .needs_targets = false,
        .run = run_lookup,
    };
    return verb;
}

}  // namespace volley::cli
