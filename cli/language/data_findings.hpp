#pragma once

#include <string>
#include <vector>

#include "cli/language/findings.hpp"

namespace volley::cli {

/// Data of Hiera and anything else in YAML: its syntax.
std::vector<Finding> validate_yaml(const std::string& text, const std::string& file);
/// A YAML plan: its steps and parameters too.
std::vector<Finding> validate_yaml_plan(const std::string& text, const std::string& file);
/// A Hiera configuration: its version, and in version 5 the keys of every level and what excludes what.
std::vector<Finding> validate_hiera_config(const std::string& text, const std::string& file);
/// Anything in JSON: its syntax.
std::vector<Finding> validate_json(const std::string& text, const std::string& file);
/// The metadata of a task (spec/tasks, revision 6).
std::vector<Finding> validate_task_metadata(const std::string& text, const std::string& file);

}  // namespace volley::cli
