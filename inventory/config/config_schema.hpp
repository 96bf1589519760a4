#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inventory/config/schema.hpp"

namespace volley::inventory {

/// bolt-project.yaml: the keys of section 3.5 marked P. `output_formats`: as in ProcessContext.
Schema project_schema(const std::vector<std::string>& output_formats);
/// bolt-defaults.yaml: the keys marked D.
Schema defaults_schema(const std::vector<std::string>& output_formats);
/// The values that the command line may set to anything (OPT-048).
Schema command_line_schema(const std::vector<std::string>& output_formats);
/// `config` of the inventory and `inventory-config` of bolt-defaults.yaml: "transport" and a section for each
/// transport, from the transports' own tables.
std::vector<Schema::Property> transport_properties();

bool is_project_key(std::string_view key);
bool is_defaults_key(std::string_view key);
/// "transport" or the name of a transport.
bool is_inventory_key(std::string_view key);

}  // namespace volley::inventory
