#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "inventory/targets/target.hpp"
#include "language/value.hpp"
#include "planner/action.hpp"
#include "planner/record/project_key.hpp"

namespace volley::planner {

/// The files and folders whose content an action brings to its targets.
std::vector<std::filesystem::path> files_of(const Action& action);
/// SHA-256 over what is in them: names, content, and who may run them; the same when nothing has changed. Any
/// thread.
std::string contents_digest(const std::vector<std::filesystem::path>& files);

/// What makes an action the same action, wherever it is done. `contents`: of contents_digest().
std::string action_key(const ProjectKey& key, const Action& action, const std::string& contents);

/// What makes a target of an action the same target: where it is, and parameters that only it gets. Most
/// actions say nothing special of their targets; they are signed once for all steps of a plan. Loop thread
/// only.
class TargetIds {
public:
    explicit TargetIds(const ProjectKey& key) : key_(key) {}
    /// That of a target says something of this action, too.
    static bool are_of_action(const Action& action);
    std::string of(const Action& action, const inventory::Target& target);

private:
    struct Known {
        std::shared_ptr<const Json> options;
        std::string id;
    };
    std::string signed_id(const Action& action, const inventory::Target& target) const;

    ProjectKey key_;
    std::unordered_map<std::string, Known> known_;  // by name
};

/// A value as a text that differs for values that differ, also inside of Sensitive. Not for people.
std::string identity_text(const Value& value);
/// The texts in a Sensitive, wherever it is in the value, that are long enough to be found elsewhere.
void collect_secrets(const Value& value, std::vector<std::string>& secrets);
void collect_secrets(const Json& value, std::vector<std::string>& secrets);

}  // namespace volley::planner
