#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto inventory_show_options = join_options(
    targeting_options, std::to_array<std::string_view>({"project", "format", "inventoryfile", "detail"}));

int run_inventory_show(Session& session, const CommandLine& line) {
    std::vector<std::string> specs = session.target_specs(line.options.target);
    if (!line.options.target.any()) specs = {"all"};  // CLI-007
    inventory::Inventory& inventory = session.inventory();
    InventoryListing listing;
    for (const inventory::Target& target : inventory.resolve(specs, inventory::TargetSyntax::CommandLine)) {
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
        .usage = "inventory show [options]",
        .description =
            "Lists the targets of the inventory, or those that a targeting option chooses. With --detail, "
            "shows the merged configuration and data of each; passwords and keys are not shown.",
        .guide = "inventory",
        .examples = "volley inventory show\nvolley inventory show -t 'web*' --detail",
        .options = inventory_show_options,
        .needs_targets = false,
        .run = run_inventory_show,
    };
    return verb;
}

}  // namespace volley::cli
