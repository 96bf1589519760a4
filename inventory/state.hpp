#pragma once

#include "inventory/inventory.hpp"
#include "inventory/target_data.hpp"

namespace volley::inventory {

/// What an Inventory and its targets share.
struct Inventory::State {
    State(Config the_config, std::unique_ptr<const yaml::Document> document, std::shared_ptr<Plugins> plugins)
        : config(std::move(the_config)), tree(std::move(document), *plugins), data(tree, config, std::move(plugins)) {}
    Config config;
    GroupTree tree;
    TargetData data;
    std::string source;
    bool source_exists = false;
};

}  // namespace volley::inventory
