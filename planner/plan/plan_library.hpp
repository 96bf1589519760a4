#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/config/config.hpp"
#include "language/evaluator/environment.hpp"
#include "language/syntax/ast.hpp"
#include "support/json/json.hpp"
#include "tasks/library.hpp"

namespace volley::planner {

class YamlPlan;

/// One parameter of a plan as people see it (JSN-011).
struct PlanParameter {
    std::string name;
    std::string type = "Any";
    bool sensitive = false;                     ///< PMD-004
    std::shared_ptr<const Json> default_value;  ///< source text, or a YAML plan's value; null: none
    std::optional<std::string> description;
};

/// A plan and where it comes from.
struct PlanDefinition {
    std::string name;
    std::filesystem::path file;
    std::filesystem::path module_directory;
    bool built_in = false;
    /// Exactly one of the two: a plan of the language, whose tree `program` keeps alive; or a YAML plan.
    std::shared_ptr<const ast::Program> program;
    const ast::Definition* definition = nullptr;
    std::shared_ptr<const YamlPlan> yaml;
};

/// What `plan show NAME` shows (PMD-001 to PMD-004).
struct PlanInfo {
    std::string name;
    std::optional<std::string> description;
    std::vector<PlanParameter> parameters;
    bool is_private = false;
    std::optional<std::string> summary;
    std::optional<std::string> docstring;
    std::filesystem::path module_directory;
    bool built_in = false;
    std::filesystem::path file;
};

struct PlanSummary {
    std::string name;
    std::optional<std::string> description;
};

/// The plans in the modules of a project: "module" is plans/init, "module::a::b" is plans/a/b, as .pp or
/// .yaml. Used from one thread.
class PlanLibrary {
public:
    /// All must outlive it. `environment` has the types that YAML plans name.
    PlanLibrary(const tasks::Library& modules, const inventory::Config& config, Environment& environment)
        : modules_(modules), config_(config), environment_(environment) {}

    /// Throws Error bolt/unknown-plan (PMD-007), ParseError, and bolt/pal-error for a bad YAML plan.
    std::shared_ptr<const PlanDefinition> find(std::string_view name);
    /// Throws what find() throws, and bolt/invalid-plan for a wrong @private tag.
    PlanInfo describe(std::string_view name);
    /// Names of all plans, private ones too, sorted; not filtered.
    std::vector<std::string> names() const;
    /// Public plans, filtered by the project's `plans` key and by `filter` as a part of the name. A plan that
    /// cannot be read is a warning (plan_load_error).
    std::vector<PlanSummary> list(std::string_view filter);
    /// The file that defines a plan; nullopt when there is none. Throws Error bolt/pal-error for two
    /// (MOD-006).
    std::optional<std::filesystem::path> find_file(std::string_view name) const;

private:
    std::shared_ptr<const PlanDefinition> load(const std::string& name);

    const tasks::Library& modules_;
    const inventory::Config& config_;
    Environment& environment_;
    std::map<std::string, std::shared_ptr<const PlanDefinition>, std::less<>> plans_;
};

/// The text of an expression as it stands in the plan.
std::string source_of(const ast::Node& node);

}  // namespace volley::planner
