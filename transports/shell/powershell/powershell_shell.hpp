#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "transports/powershell.hpp"
#include "transports/runtime.hpp"
#include "transports/shell/files/payload.hpp"
#include "transports/shell/powershell/job_script.hpp"
#include "transports/shell/powershell/marked_output.hpp"
#include "transports/shell/shell.hpp"

namespace volley::transports {

/// The options of a target that its shell uses.
struct PowerShellOptions {
    explicit PowerShellOptions(const TargetConfig& target);
    std::string target;  ///< safe name
    bool cleanup = true;
    std::optional<std::string> tmpdir;
    std::optional<std::string> run_as;
    std::set<std::string> extensions;  ///< with the dot, as they were written (PS-002)
};

/// The shell of targets that run PowerShell (PS-001 to PS-014). Everything that an action needs is in one
/// script, so that it is one process there: the files, how they are run, and the removal of the directory.
/// Texts that may be secret are in scripts only, never in command lines or in errors of ours.
class PowerShellShell final : public Shell {
public:
    /// `connection` is asked for its PowerShellSession at each action, unless `session` is one for it.
    PowerShellShell(Connection& connection, std::unique_ptr<PowerShellSession> session,
                    const TargetConfig& target, Runtime& runtime);

    Task<Output> run_command(std::string command, RunOptions options) override;
    Task<Output> run_script(std::filesystem::path script, std::vector<std::string> arguments,
                            std::vector<std::string> interpreter, RunOptions options) override;
    Task<Output> run_task(TaskExecution task, RunOptions options) override;
    Task<void> upload(std::filesystem::path local, std::string remote, RunOptions options) override;
    Task<std::filesystem::path> download(std::string remote, std::filesystem::path directory,
                                         RunOptions options) override;
    ShellTraits traits() const override;
    std::vector<std::string> features() const override { return {"powershell"}; }
    std::string_view default_input_method(std::string_view extension) const override;

private:
    PowerShellSession& session();
    void refuse_run_as(const RunOptions& options) const;
    void check_extension(const std::string& file) const;
    PowerShellDirectory choose_directory() const;
    Task<Output> run_job(PowerShellJob job, std::vector<PayloadEntry> files, PowerShellDirectory directory,
                         RunOptions options);
    Task<void> place(Input& packed, PowerShellDirectory& directory);
    Task<void> send(std::filesystem::path local, std::string remote);
    Task<std::filesystem::path> receive(std::string remote, std::filesystem::path directory);
    Task<std::filesystem::path> receive_by_copier(FileCopier& files, std::string remote,
                                                  std::filesystem::path directory);
    /// What an action that was cut short left on the target: best effort, and not longer than its own
    /// deadline. Arguments of scripts/remove.ps1.
    Task<void> remove(std::vector<std::string> arguments);
    /// Why it could not; never throws.
    Task<std::string> run_remove(std::vector<std::string> arguments);

    Connection& connection_;
    std::unique_ptr<PowerShellSession> session_;
    PowerShellOptions options_;
    Runtime& runtime_;
};

}  // namespace volley::transports
