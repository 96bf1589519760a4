#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/config/config.hpp"
#include "inventory/plugins.hpp"
#include "inventory/targets/target.hpp"
#include "support/json.hpp"

namespace volley::inventory {

/// How a target text is split: the command line also splits at white space and knows {a,b} (ARG-005,
/// INV-064).
enum class TargetSyntax { CommandLine, Plan };

/// The inventory (version 2), chapter 4 of the checklist. Used from one thread.
class Inventory {
public:
    /// Reads BOLT_INVENTORY, the chosen file or nothing (INV-001). Throws Error
    /// bolt.inventory/validation-error, bolt/parse-error, bolt/file-error, bolt/validation-error.
    static std::unique_ptr<Inventory> load(const ProcessContext& process, const Config& config,
                                           std::shared_ptr<Plugins> plugins);
    ~Inventory();

    /// Section 4.5: groups, targets, aliases, globs, new targets; unique, in order of mention.
    /// Throws Error bolt.inventory/wildcard-error, bolt/parse-error, bolt.inventory/validation-error.
    std::vector<Target> resolve(std::string_view spec, TargetSyntax syntax);
    std::vector<Target> resolve(const std::vector<std::string>& specs, TargetSyntax syntax);
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
