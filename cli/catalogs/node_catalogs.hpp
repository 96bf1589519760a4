#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/compile/options.hpp"
#include "cli/compile/request.hpp"
#include "inventory/project/project.hpp"

namespace volley::cli {

/// A node whose catalog is wanted.
struct NodeSource {
    std::string name;   ///< certname; empty: what the facts say
    std::string facts;  ///< the file of its facts; empty: none
};

/// --facts FILE stands for one node, --facts DIR for one node a *.json file in it, named like the file;
/// sorted. Throws Error when the folder has no such file.
std::vector<NodeSource> node_sources(const LanguageOptions& options,
                                     const inventory::ProcessContext& process);

/// What is the same for all nodes: the code, read once, and the environment. Threads may share one.
class NodeCompiler {
public:
    /// Reads the code that the options name. Throws Error.
    NodeCompiler(const LanguageOptions& options, const inventory::ProcessContext& process);
    /// The catalog as Puppet's document, or why there is none. Never throws for what is wrong with code or
    /// facts.
    LanguageOutcome compile(const NodeSource& node, const std::function<void(const LogEntry&)>& sink) const;

private:
    LanguageRequest request_;
    std::filesystem::path folder_;
};

}  // namespace volley::cli
