#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto group_show_options = std::to_array<std::string_view>({"project", "format", "inventoryfile"});

int run_group_show(Session& session, const CommandLine&) {
    const inventory::Inventory& inventory = session.inventory();
    GroupListing listing;
    listing.groups = inventory.group_names();
    listing.source = inventory.source();
    listing.source_exists = inventory.source_exists();
    listing.default_file = session.config().project.default_inventory_file().string();
    session.out().print_groups(listing);
    return 0;
}

}  // namespace

const Verb& group_show_verb() {
    static constexpr Verb verb{
        .noun = "group",
        .action = "show",
        .summary = "Show the groups of the inventory",
        .usage = "group show [options]",
        .description = "Lists the names of all groups in the inventory.",
        .guide = "inventory",
        .examples = "volley group show --format json",
        .options = group_show_options,
        .needs_targets = false,
        .run = run_group_show,
    };
    return verb;
}

}  // namespace volley::cli
