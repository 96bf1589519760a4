#pragma once

#include <set>

#include "inventory/inventory.hpp"
#include "inventory/targets/target_data.hpp"

namespace volley::inventory {

/// Throws Error bolt.inventory/validation-error for what cannot be a target's name (INV-021), with the place
/// that names it if there is one.
void check_name(const std::string& name, yaml::Node at = {});

/// What an Inventory and its targets share.
struct Inventory::State {
    State(Config the_config, std::unique_ptr<const yaml::Document> document,
          std::shared_ptr<Plugins> plugins_in_use)
        : config(std::move(the_config)),
          plugins(std::move(plugins_in_use)),
          tree(std::move(document), *plugins),
          data(tree, config, plugins) {}
    Config config;
    std::shared_ptr<Plugins> plugins;
    GroupTree tree;
    TargetData data;
    TargetSets sets;              // empty: there are none
    std::set<TargetId> compared;  // with the command line, by warn_of_unused_options
    std::string source;
    bool source_exists = false;
};

}  // namespace volley::inventory
