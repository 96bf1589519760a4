#pragma once

#include <set>
#include <string>

namespace volley::tests {

/// Runs the rows of tests/language/FOLDER/TABLE.json, which record.py has filled with the answers of
/// Puppet 7.23: a section for each function or rule (`of`) of the table, a check for each row. The files of
/// the environment are those of environment_files.json beside it, if there is one.
void check_recorded_table(const std::string& folder, const std::string& table);

/// What the tables of a folder have rows of.
std::set<std::string> recorded_subjects(const std::string& folder);

}  // namespace volley::tests
