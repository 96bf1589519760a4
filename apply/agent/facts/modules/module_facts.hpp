#pragma once

#include <string>
#include <vector>

#include "apply/agent/facts/facts.hpp"
#include "apply/agent/facts/modules/code_folder.hpp"

namespace volley::agent {

/// The facts that modules bring: what their facts.d holds, on every machine, and what they define in Ruby,
/// where the machine has a Ruby, with or without Facter.
class ModuleFacts {
public:
    /// Of two Ruby files of one name the first counts.
    ModuleFacts(std::string state_folder, std::vector<FactFile> files, FetchContents fetch);

    /// The folders of facts.d. Fetches the files that are not there yet. Throws as code_folder does.
    std::vector<std::string> external_folders();
    /// The values of facts in Ruby that are not overridden by external ones. `known`: all facts so far,
    /// hidden ones, too. What goes wrong is added to `messages`; this does not throw.
    Json resolve(const Json& known, const Json& external, FactMessages& messages);

private:
    std::string folder();
    Json run_bridge(const std::string& ruby, const Json& known, const Json& external, FactMessages& messages);
    /// "apt/lib" of each module with facts in Ruby, and of the others, which these may need.
    std::vector<std::string> library_folders() const;

    std::string state_folder_;
    std::vector<FactFile> files_;
    FetchContents fetch_;
    std::string folder_;
    bool has_ruby_facts_ = false;
};

}  // namespace volley::agent
