#pragma once

#include "inventory/config/config.hpp"

namespace volley::inventory {

/// One configuration file after validation: keys that do not belong there are gone (CFG-009 to CFG-011), and
/// the content of `inventory-config` stands at the top, as in Bolt's merged data.
struct ConfigLayer {
    std::filesystem::path path;
    std::shared_ptr<const Json> data;  ///< an object
};

/// The system's and the user's bolt-defaults.yaml, those that exist, lowest first (CFG-001).
std::vector<ConfigLayer> read_defaults(const ProcessContext& process);

/// bolt-project.yaml, empty when there is none; fills in project.name (PRJ-008, PRJ-009).
ConfigLayer read_project_file(const ProcessContext& process, Project& project);

}  // namespace volley::inventory
