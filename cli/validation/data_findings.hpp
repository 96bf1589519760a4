#pragma once

#include <string>
#include <vector>

#include "cli/validation/findings.hpp"
#include "support/error.hpp"
#include "support/yaml/document.hpp"

namespace volley::cli {

/// Data of Hiera and anything else in YAML: its syntax.
std::vector<Finding> validate_yaml(const std::string& text, const std::string& file);
/// A YAML plan: its steps and parameters too.
std::vector<Finding> validate_yaml_plan(const std::string& text, const std::string& file);
/// A Hiera configuration: its version, and in version 5 the keys of every level and what excludes what.
std::vector<Finding> validate_hiera_config(const std::string& text, const std::string& file);
/// Anything in JSON: its syntax.
std::vector<Finding> validate_json(const std::string& text, const std::string& file);

/// An error at a place of a YAML text.
Finding finding_at(const std::string& file, yaml::Position at, std::string message);
/// An error of reading YAML, which names its file and place; findings have them apart.
Finding yaml_finding(const Error& error, const std::string& file);
/// Line and column of a byte of the text.
Location place_in_text(const std::string& text, std::size_t offset, const std::string& file);
/// That a key is there again; `line`: of the first.
std::string repeated_key_message(const std::string& key, std::uint32_t line);

}  // namespace volley::cli
