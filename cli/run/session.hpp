#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/logging.hpp"
#include "cli/options/command_line.hpp"
#include "cli/outputters/outputter.hpp"
#include "cli/run/result_filter.hpp"
#include "cli/terminal/console.hpp"
#include "inventory/config/config.hpp"
#include "inventory/inventory.hpp"
#include "inventory/plugins/plugin_set.hpp"
#include "inventory/project/project.hpp"
#include "planner/rollout.hpp"
#include "tasks/library.hpp"

namespace volley::cli {

/// What a verb wants done in its place when its own session is over: words of a command line.
struct NextCommand {
    std::vector<std::string> words;
    std::filesystem::path folder;  ///< to be done in
    ResumedRun resumes = {};
    std::vector<std::pair<std::string, std::string>> params = {};  ///< beside those of --params
};

/// Everything a verb works with: configuration read, log and output set up; inventory and modules on demand.
class Session {
public:
    /// Reads the configuration. Throws Error; nothing but plain text has been printed by then (EXIT-006).
    Session(const CommandLine& line, Console& console, inventory::ProcessContext process);

    const inventory::ProcessContext& process() const noexcept { return process_; }
    const inventory::Config& config() const noexcept { return *config_; }
    Console& console() noexcept { return console_; }
    Outputter& out() noexcept { return *outputter_; }
    /// Read when first asked for. Throws Error.
    inventory::Inventory& inventory();
    const tasks::Library& library();
    /// The plugins of the project and its modules. The inventory and the configuration ask them.
    inventory::PluginSet& plugins();
    /// The names that the targeting options stand for; none when no option was given. Throws Error.
    std::vector<std::string> target_specs(const TargetOptions& options);
    /// The targets that the targeting options choose; `specs` are those of target_specs(). Throws Error.
    std::vector<inventory::Target> targets(
        const TargetOptions& options, const std::vector<std::string>& specs,
        inventory::UnknownNames typed = inventory::UnknownNames::Addresses);
    std::vector<inventory::Target> targets(const TargetOptions& options);
    std::vector<std::string> rerun_targets(const std::string& which);
    /// Names as they are recorded, without passwords of URIs, as the inventory has them.
    std::vector<std::string> whole_names(std::vector<std::string> names);
    /// --output-dir; nullopt when it was not given.
    const std::optional<std::filesystem::path>& output_dir() const noexcept { return output_dir_; }
    /// --filter; null when it was not given.
    ResultFilter* filter() noexcept { return filter_.get(); }
    /// How an action goes over its targets: the options, and the settings where these are not given.
    planner::Rollout rollout(const CommandLine& line) const;
    /// A live status line may be drawn: a terminal that can, a format for people, and not switched off.
    bool shows_status() const;
    /// It may take several lines, with what targets say while they are at it (LiveView).
    bool shows_live() const { return live_ && shows_status(); }
    /// A log of continuous integration has lines about how far the run is.
    bool shows_progress_lines() const;

    void continue_with(NextCommand next) { next_ = std::move(next); }
    const std::optional<NextCommand>& next() const noexcept { return next_; }

private:
    void start_logging();
    void filter_results(const CommandLine& line);
    std::vector<std::string> target_set(std::string_view set);

    inventory::ProcessContext process_;
    Console& console_;
    std::optional<std::filesystem::path> output_dir_;
    bool live_ = true;
    std::unique_ptr<const inventory::Config> config_;
    std::unique_ptr<Logging> logging_;
    std::unique_ptr<ResultFilter> filter_;
    std::unique_ptr<Outputter> outputter_;
    std::shared_ptr<inventory::PluginSet> plugins_;
    std::unique_ptr<inventory::Inventory> inventory_;
    std::unique_ptr<tasks::Library> library_;
    std::optional<NextCommand> next_;
};

/// A file given on the command line: as it is when it exists or is absolute, else "module/path" (ARG-012).
std::filesystem::path find_local_file(Session& session, const std::string& path);
/// Throws Error bolt/file-error when `path` does not exist or cannot be read, or is a folder and must not be;
/// in a folder every entry is checked (ARG-014). `what`: "script", "source file".
void check_readable(const std::filesystem::path& path, std::string_view what, bool folder_allowed);

}  // namespace volley::cli
