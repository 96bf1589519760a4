#include "cli/schemas.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "inventory/config_schema.hpp"
#include "inventory/inventory_schema.hpp"
#include "inventory/json_schema.hpp"
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
    {"defaults", [] { return inventory::to_json_schema(inventory::defaults_schema(), "bolt-defaults.yaml"); }},
    {"inventory", [] { return inventory::to_json_schema(inventory::inventory_schema(), "inventory.yaml"); }},
    {"plan", planner::yaml_plan_schema},
    {"project", [] { return inventory::to_json_schema(inventory::project_schema(), "bolt-project.yaml"); }},
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
    throw Error("bolt/cli-error",
                "There is no schema '" + name + "'; there are " + join(schema_names(), ", "));
}

}  // namespace volley::cli
