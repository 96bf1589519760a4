#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/module_install/module_name.hpp"
#include "planner/module_install/resolution/version_requirement.hpp"
#include "support/yaml/document.hpp"

namespace volley::modules {

enum class Origin { Forge, Git };

/// One entry of `modules` in bolt-project.yaml (MGT-001).
struct ModuleSpec {
    Origin origin = Origin::Forge;
    ModuleName name = {};  ///< of a git spec without the key `name`: empty until its metadata is read
    std::optional<std::string> version_requirement = {};  ///< as written
    VersionRequirement range = {};
    std::string git = {};
    std::string ref = {};
    bool resolve = true;
    std::string where = {};  ///< "FILE:LINE:COLUMN", for messages; may be empty

    /// The entry as lines of YAML, the way Bolt's messages show it.
    std::string to_yaml() const;
};

/// A spec for the Forge by name alone, such as an argument of `module add`. Throws Error
/// bolt/validation-error.
ModuleSpec forge_spec(std::string_view name);
/// MGT-001, MGT-002: reads a list of specs. Throws Error bolt/validation-error, and
/// bolt/duplicate-spec-name-error for two of the same name; messages name file, line and column.
std::vector<ModuleSpec> read_module_specs(const yaml::Node& list);
/// Reads the key `modules` of a project file; empty when it has none. Throws Error as above, bolt/file-error.
std::vector<ModuleSpec> read_project_specs(const std::filesystem::path& project_file);

/// Throws Error bolt/duplicate-spec-name-error when two specs have the same name.
void check_unique_names(const std::vector<ModuleSpec>& specs);
/// True when a git repository may be at that URL: git@..., http, https, ssh; also file (difference from
/// Bolt).
bool is_git_url(std::string_view url);
/// True when `ref` can be a branch, tag or commit: nothing that git would take for an option or a pattern.
bool is_git_ref(std::string_view ref);

}  // namespace volley::modules
