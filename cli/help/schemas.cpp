#include "cli/help/schemas.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "cli/outputters/outputter.hpp"
#include "inventory/config/config_schema.hpp"
#include "inventory/config/inventory_schema.hpp"
#include "inventory/config/json_schema.hpp"
#include "planner/yaml_plan/yaml_plan_schema.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

struct NamedSchema {
    std::string_view name;
    Json (*make)();
};

const std::array<NamedSchema, 4> named_schemas{{
    {"defaults",
     [] {
         return inventory::to_json_schema(inventory::defaults_schema(output_formats()), "bolt-defaults.yaml");
     }},
    {"inventory", [] { return inventory::to_json_schema(inventory::inventory_schema(), "inventory.yaml"); }},
    {"plan", planner::yaml_plan_schema},
    {"project",
     [] {
         return inventory::to_json_schema(inventory::project_schema(output_formats()), "bolt-project.yaml");
     }},
}};

}  // namespace

const std::vector<std::string>& schema_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const NamedSchema& schema : named_schemas) all.emplace_back(schema.name);
        return all;
    }();
    return names;
}

std::string schema_text(const std::string& name) {
    for (const NamedSchema& schema : named_schemas) {
        if (schema.name == name) return schema.make().dump(2) + "\n";
    }
    const std::string meant = did_you_mean(name, schema_names());
    throw Error("bolt/cli-error", "There is no schema '" + name + "'; there are " +
                                      join(schema_names(), ", ") + (meant.empty() ? "" : "." + meant));
}

}  // namespace volley::cli
