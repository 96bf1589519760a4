#include <map>

#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto inventory_show_options = join_options(
    targeting_options,
    std::to_array<std::string_view>({"project", "format", "inventoryfile", "detail", "graph", "explain"}));

/// Targets of which the same can be said are shown together.
ExplanationListing explain(const inventory::Inventory& inventory,
                           const std::vector<inventory::Target>& targets, const std::string& key) {
    ExplanationListing listing{key, {}};
    std::map<std::string, std::size_t> place;
    for (const inventory::Target& target : targets) {
        inventory::Explanation explanation = inventory.explain(target, key);
        std::string text;
        for (const auto& source : explanation.sources)
            text += source.value + '\n' + source.level + '\n' + source.where + '\n';
        const auto [at, is_new] = place.emplace(std::move(text), listing.groups.size());
        if (is_new) listing.groups.push_back({{}, std::move(explanation)});
        listing.groups[at->second].targets.push_back(target.safe_name());
    }
    return listing;
}

int run_inventory_show(Session& session, const CommandLine& line) {
    std::vector<std::string> specs = session.target_specs(line.options.target);
    if (!line.options.target.any()) specs = {"all"};  // CLI-007
    inventory::Inventory& inventory = session.inventory();
    InventoryListing listing;
    // JSN-014: names that the inventory does not have are shown as such.
    const auto targets = session.targets(line.options.target, specs, inventory::UnknownNames::Accept);
    if (line.options.lookup.explain) {
        session.out().print_explanations(explain(inventory, targets, *line.object));
        return 0;
    }
    if (line.options.display.graph) {
        session.out().print_outline(inventory.outline(targets));
        return 0;
    }
    for (const inventory::Target& target : targets) {
        (inventory.defines(target) ? listing.from_inventory : listing.adhoc).push_back(target);
    }
    listing.source = inventory.source();
    listing.source_exists = inventory.source_exists();
    listing.default_file = session.config().project.default_inventory_file().string();
    listing.detail = line.options.display.detail;
    listing.targets_chosen = line.options.target.any();
    session.out().print_inventory(listing);
    return 0;
}

}  // namespace

const Verb& inventory_show_verb() {
    static constexpr Verb verb{
        .noun = "inventory",
        .action = "show",
        .summary = "Show the targets that a command would reach",
        .usage = "inventory show [options] [--explain KEY]",
        .description =
            "Lists the targets of the inventory, or those that a targeting option chooses. With --detail, "
            "shows the merged configuration and data of each; passwords and keys are not shown. --graph "
            "shows the "
            "groups as a tree. --explain KEY answers why targets have an option ('user', 'ssh.port', "
            "'transport') or "
            "other data ('vars.role'): level, file and line of what counts, and of what it comes before.",
        .guide = "inventory",
        .examples =
            "volley inventory show\nvolley inventory show -t 'web*' --detail\nvolley inventory show --graph\n"
            "volley inventory show -t web --explain user",
        .options = inventory_show_options,
        .needs_targets = false,
        .run = run_inventory_show,
    };
    return verb;
}

}  // namespace volley::cli
