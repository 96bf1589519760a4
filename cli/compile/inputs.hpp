#pragma once

#include <filesystem>
#include <string>

#include "cli/compile/options.hpp"
#include "cli/compile/request.hpp"
#include "inventory/project/project.hpp"

namespace volley::cli {

/// The request that a command line stands for: reads the files that it names. Without code and files the code
/// of a catalog is the environment's main manifest, else it comes from standard input. Throws Error.
LanguageRequest make_language_request(const LanguageOptions& options, LanguageRequest::Mode mode,
                                      const inventory::ProcessContext& process);

/// Facts from a file, "-" for standard input: a JSON object, or one with a name and `values`. Throws Error.
Value read_facts(const std::string& path, const std::filesystem::path& folder);
/// The certname of a node that has none: what its facts say, else the name of this machine.
std::string default_node(const Value& facts);

/// The request in a line of `eval --batch` (tests/conformance/README.md). Throws Error for what is no
/// request.
LanguageRequest make_batch_request(const Json& line);

}  // namespace volley::cli
