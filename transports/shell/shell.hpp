#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transports/connection.hpp"

namespace volley::transports {

/// How one action wants to be run; the target's own options fill what is absent here.
struct RunOptions {
    RunOptions() = default;
    std::optional<std::string> run_as;                             ///< wins over the target's option (SH-005)
    std::vector<std::pair<std::string, std::string>> environment;  ///< in order (SH-016)
    OutputSink* observer = nullptr;                                ///< sees output as it comes (--stream)
    /// A JSON object: parameters of a script in PowerShell by their names, in place of arguments (PS-009).
    /// Other shells have none.
    std::optional<std::string> named_arguments;
};

/// A file of the controller and where it goes below the temporary directory ("facts/tasks/bash.sh").
struct PlacedFile {
    std::filesystem::path local;
    std::string remote;  ///< relative, '/' separated, never leaving the directory
};

/// A task ready to be run: chosen implementation, files, and input in every form it wants.
struct TaskExecution {
    TaskExecution() = default;
    std::string name;  ///< for messages
    PlacedFile executable;
    std::vector<PlacedFile> files;         ///< extra files (TSK-027, SH-025)
    std::vector<std::string> interpreter;  ///< words before the path; empty: none
    /// Makes the input for a directory on the target: `_installdir` is only known then.
    /// first: the JSON for stdin (nullopt: none). second: environment variables, sensitive, "PT_x" -> text.
    struct TaskInput {
        std::optional<std::string> standard_input;
        std::vector<std::pair<std::string, std::string>> environment;
        /// A JSON object, sensitive: parameters of a .ps1 by their names (TSK-024 "powershell").
        std::optional<std::string> named_arguments;
    };
    std::function<TaskInput(const std::string& directory)> input;
    /// For an agent that makes the input itself (TaskAgent): the method of TSK-024, and what makes a JSON
    /// object with the parameters, sensitive.
    std::string input_method;
    std::function<std::string()> parameters;
};

/// What kind of shell a target has, and what it cannot do.
struct ShellTraits {
    bool powershell = false;  ///< its commands are PowerShell, not sh
    /// Why Shell::run_session() cannot answer what a command prints: "the target's shell is PowerShell".
    /// Empty where it can.
    std::string no_sessions;
};

/// What a target's shell can do over any Connection: temporary directories, run-as, quoting, input, files.
/// One per connection; loop thread only. Errors: TransportError (file, escalate, connect).
class Shell {
public:
    virtual ~Shell() = default;
    virtual Task<Output> run_command(std::string command, RunOptions options) = 0;
    /// `arguments` are passed literally; `interpreter` as in TaskExecution.
    virtual Task<Output> run_script(std::filesystem::path script, std::vector<std::string> arguments,
                                    std::vector<std::string> interpreter, RunOptions options) = 0;
    virtual Task<Output> run_task(TaskExecution task, RunOptions options) = 0;
    /// Runs a command that has `input` as its standard input, and hands its output over as it comes, so that
    /// both sides can answer each other. Never on a terminal. Both must outlive it. Throws TransportError,
    /// and where a shell has no such thing (traits()).
    virtual Task<ExitStatus> run_session(std::string command, Input& input, OutputSink& output,
                                         RunOptions options);
    /// File or directory; an existing directory as destination receives it inside (SH-022).
    virtual Task<void> upload(std::filesystem::path local, std::string remote, RunOptions options) = 0;
    /// `remote`, a file or a directory, becomes `directory`/<basename> here. Returns that path (SH-023).
    virtual Task<std::filesystem::path> download(std::string remote, std::filesystem::path directory,
                                                 RunOptions options) = 0;
    /// Features that every target with this shell has (TRN-007): "shell" or "powershell".
    virtual std::vector<std::string> features() const = 0;
    /// "both", or "powershell" for a .ps1 on PowerShell (TSK-023).
    virtual std::string_view default_input_method(std::string_view extension) const = 0;
    virtual ShellTraits traits() const = 0;
};

/// The shell for a target's connection, chosen by its options (TRN-008). Both must outlive it.
std::unique_ptr<Shell> make_shell(Connection& connection, const TargetConfig& target, class Runtime& runtime);

}  // namespace volley::transports
