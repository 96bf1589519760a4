#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inventory/config/config.hpp"
#include "inventory/explanation.hpp"
#include "inventory/plugins.hpp"
#include "inventory/targets/target.hpp"
#include "support/json/json.hpp"

namespace volley::inventory {

/// How a target text is split: the command line also splits at white space and knows {a,b} (ARG-005,
/// INV-064).
enum class TargetSyntax { CommandLine, Plan };

/// What becomes of a name that the inventory does not have, unless the setting adhoc-targets decides: it is a
/// new target always, only when it looks like an address, or never.
enum class UnknownNames { Accept, Addresses, Refuse };

/// A part of a list of targets: a target, or text as in TargetSyntax.
using TargetTerm = std::variant<Target, std::string>;

/// What "@last:ok" and the like stand for: names of targets. Throws Error for a set that there is not.
using TargetSets = std::function<std::vector<std::string>(std::string_view set)>;

/// --limit, --exclude and --sample: the same language, for a choice that was made already.
struct TargetNarrowing {
    std::vector<std::string> limit;     ///< only those that are in it; empty: all
    std::vector<std::string> exclude;   ///< not these
    std::optional<std::size_t> sample;  ///< that many of them, at random, in their order
    bool any() const noexcept { return !limit.empty() || !exclude.empty() || sample; }
};

/// The inventory (version 2), chapter 4 of the checklist. Used from one thread.
class Inventory {
public:
    /// Reads BOLT_INVENTORY, the chosen file or nothing (INV-001). Throws Error
    /// bolt.inventory/validation-error, bolt/parse-error, bolt/file-error, bolt/validation-error.
    static std::unique_ptr<Inventory> load(const ProcessContext& process, const Config& config,
                                           std::shared_ptr<Plugins> plugins);
    ~Inventory();

    /// Section 4.5: groups, targets, aliases, globs, ranges, sets, new targets; unique, in order of mention;
    /// "&x" and "!x" take away from the others. Throws Error bolt.inventory/wildcard-error, bolt/parse-error,
    /// bolt.inventory/validation-error.
    std::vector<Target> resolve(std::string_view spec, TargetSyntax syntax);
    std::vector<Target> resolve(const std::vector<std::string>& specs, TargetSyntax syntax,
                                UnknownNames unknown = UnknownNames::Accept);
    std::vector<Target> resolve(const std::vector<TargetTerm>& terms, TargetSyntax syntax,
                                UnknownNames unknown = UnknownNames::Accept);
    /// Throws as resolve() does; names that nobody knows are refused.
    std::vector<Target> narrow(std::vector<Target> targets, const TargetNarrowing& narrowing);
    /// Without it no set has a meaning.
    void provide_sets(TargetSets sets);
    /// The one target of that exact name, created when unknown (INV-066).
    Target target(const std::string& name);

    /// Target.new of a plan (INV-070, INV-071): a new target, or a new meaning for a known name; what the
    /// source says of it is not used. Keys: uri, name, target_alias, config, facts, vars, features,
    /// plugin_hooks. Throws Error bolt.inventory/validation-error and what wrong configuration leads to.
    Target create(const Json& data);
    /// INV-072. Throws Error bolt.inventory/validation-error for an unknown group.
    void add_to_group(const std::vector<Target>& targets, const std::string& group);
    /// The same, also for more or fewer than one target, and for the group "all".
    void remove_from_group(const std::vector<Target>& targets, const std::string& group);
    /// Asks for the plugin references in the configuration of these targets at the same time, so that using
    /// the targets does not wait for one after the other. Failures belong to the targets and are thrown when
    /// they are used.
    void prepare(const std::vector<Target>& targets);
    /// `value` with every plugin reference replaced (FN-018). May block.
    Json resolve_references(const Json& value);
    /// Plugins::hook_task.
    std::string hook_task(const std::string& plugin, Hook hook, Json& parameters);
    /// Plugins::puppetdb.
    std::shared_ptr<PuppetDb> puppetdb(const std::string& instance);

    /// Names of the targets that the inventory's source defines, in order.
    std::vector<std::string> target_names() const;
    std::vector<std::string> group_names() const;  ///< sorted
    /// True when the inventory's source defines it; false for ad-hoc targets.
    bool defines(const Target& target) const;
    /// For a target that could not be reached: "'wbe' is not in inventory.yaml; did you mean the group
    /// 'web'?". Nullopt when the inventory defines it, or has no targets, or an address was given.
    std::optional<std::string> adhoc_hint(const Target& target) const;
    /// What is wrong with a text that names targets, one sentence a name: operators, patterns that match
    /// nothing, plain names that the source does not define. Adds no target. Nothing when the source has no
    /// targets.
    std::vector<std::string> doubts(std::string_view spec, TargetSyntax syntax) const;
    /// Warns, once each, of options of the command line that targets do not take because the inventory has
    /// its own value (`cli_overrides`, OPT-049).
    void warn_of_unused_options(const std::vector<Target>& targets);
    /// Why the target has that option or other data: "user", "ssh.port", "transport", "vars.role". Throws
    /// Error bolt/cli-error for a key that cannot be one, and what wrong configuration leads to.
    Explanation explain(const Target& target, const std::string& key) const;
    /// The groups with those of these targets that are in them; groups without any are left out. New targets
    /// are in "all".
    GroupOutline outline(const std::vector<Target>& targets) const;
    /// Where it came from: a path, "BOLT_INVENTORY", or the default path when no file exists (JSN-015).
    std::string source() const;
    bool source_exists() const;

    struct State;

private:
    friend class Target;
    explicit Inventory(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace volley::inventory
