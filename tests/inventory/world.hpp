#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/inventory.hpp"
#include "support/log.hpp"

namespace volley::inventory::testing {

/// A controller of its own below a temporary directory: home, system configuration, a project. Log records of
/// level warn and above are kept meanwhile.
class World {
public:
    World();
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Writes a file, with its directories. A relative path is below `project`.
    std::filesystem::path write(const std::filesystem::path& path, std::string_view content) const;
    ProcessContext process() const;
    Config config(const Overrides& overrides = {}) const;
    /// The inventory of that text as the project's inventory.yaml.
    std::unique_ptr<Inventory> load(std::string_view yaml, const Overrides& overrides = {}) const;
    /// Names that a target list stands for.
    static std::vector<std::string> names(Inventory& inventory, std::string_view list,
                                          TargetSyntax syntax = TargetSyntax::CommandLine);

    /// True when a warning with that id was logged.
    bool warned(std::string_view id) const;
    const std::vector<std::string>& messages() const { return messages_; }

    std::filesystem::path root;
    std::filesystem::path project;
    std::filesystem::path home;
    std::filesystem::path system;
    std::map<std::string, std::string, std::less<>> environment;
    std::vector<std::string> answers;            ///< to prompts, in order
    mutable std::vector<std::string> questions;  ///< that were asked

private:
    std::vector<std::string> messages_;
};

/// "KIND: MESSAGE" of the Error that `action` throws; "no error" else.
template <class Action>
std::string error_of(Action action);

}  // namespace volley::inventory::testing

#include "support/error.hpp"

template <class Action>
std::string volley::inventory::testing::error_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.info().kind() + ": " + error.info().msg();
    }
    return "no error";
}
