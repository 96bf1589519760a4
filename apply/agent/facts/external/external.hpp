#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/facts/host.hpp"
#include "support/json/json.hpp"

namespace volley::agent {

/// The facts that a machine's administrator has put down: files of facts.d (.txt, .json, .yaml and programs)
/// and variables FACTER_NAME of the environment. `folders` are read before those of Facter and Puppet. Of
/// several files with one fact the last of the first folder counts. Files are at most 4 MiB, programs run 60
/// seconds; what is wrong with one adds a line to `warnings` and costs its facts only.
Json external_facts(const FactHost& host, const std::vector<std::string>& folders,
                    std::vector<std::string>& warnings);

/// "name=value" lines; others are passed over.
Json facts_in_lines(std::string_view text);
/// The value of a YAML text of the usual forms; discarded when it has others (anchors, tags, scalars of
/// several lines) or mistakes.
Json yaml_value(std::string_view text);
/// What a program of facts.d printed: JSON or YAML when it is a map, else lines.
Json facts_in_output(std::string_view text);

}  // namespace volley::agent
