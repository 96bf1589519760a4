#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transports/runtime.hpp"
#include "transports/shell/conversation.hpp"
#include "transports/shell/files/payload.hpp"
#include "transports/shell/files/placement.hpp"
#include "transports/shell/shell.hpp"

namespace volley::transports {

/// The options of a target that its shell uses.
struct PosixShellOptions {
    explicit PosixShellOptions(const TargetConfig& config);
    std::string target;  ///< safe name
    bool cleanup = true;
    bool tty = false;
    /// Under run-as commands begin in that user's home (SH-009), except on this machine (LOC-002).
    bool change_directory = true;
    std::string tmpdir = "/tmp";
    std::optional<std::string> script_dir;
    std::optional<std::string> run_as;
    std::vector<std::string> run_as_command;
    std::string sudo = "sudo";
    std::optional<std::string> password;  ///< for sudo
};

/// The shell of targets that have a POSIX sh (SH-001 to SH-030), whatever the login shell is. Everything but
/// a plain command is one execute(): a constant line starts a shell that reads its program from standard
/// input, does all steps, and ends with the command's own exit code.
class PosixShell final : public Shell {
public:
    PosixShell(Connection& connection, const TargetConfig& target, Runtime& runtime);

    Task<Output> run_command(std::string command, RunOptions options) override;
    Task<ExitStatus> run_session(std::string command, Input& input, OutputSink& output,
                                 RunOptions options) override;
    Task<Output> run_script(std::filesystem::path script, std::vector<std::string> arguments,
                            std::vector<std::string> interpreter, RunOptions options) override;
    Task<Output> run_task(TaskExecution task, RunOptions options) override;
    Task<void> upload(std::filesystem::path local, std::string remote, RunOptions options) override;
    Task<std::filesystem::path> download(std::string remote, std::filesystem::path directory,
                                         RunOptions options) override;
    ShellTraits traits() const override;
    std::vector<std::string> features() const override { return {"shell"}; }
    std::string_view default_input_method(std::string_view) const override { return "both"; }

private:
    /// What runs from a temporary directory.
    struct Job {
        std::vector<PayloadEntry> files;
        std::string executable;  ///< its place below the directory
        std::vector<std::string> interpreter;
        std::vector<std::string> arguments;
        std::optional<std::string> standard_input;
        std::vector<std::pair<std::string, std::string>> environment;
    };

    Task<Output> run_job(const Job& job, std::string directory, RunOptions options);
    void add_run(Program& program, const Job& job, bool other_user) const;
    std::string noexec_hint(bool certain) const;
    Task<Output> attempt(const Job& job, const std::string& directory, const RunOptions& options,
                         Packing packing);
    Task<Output> run_plain(std::string command, RunOptions options);
    /// Executes one conversation; when it is cut short, removes what it left on the target.
    Task<ExitStatus> run_program(Conversation::Settings settings, std::string directory);
    Task<void> clean_up(const Conversation::Settings& cut, std::string id, std::string pid,
                        std::string directory);
    std::optional<Escalation> escalation(const RunOptions& options) const;
    std::string choose_directory() const;

    Task<void> send(const std::filesystem::path& local, const std::string& remote, const RunOptions& options);
    Task<void> upload_file(const PayloadEntry& entry, std::string remote, const RunOptions& options);
    Task<void> upload_tree(std::vector<PayloadEntry> entries, std::string name, std::string remote,
                           const RunOptions& options, Packing packing);

    Task<void> upload_by_copier(FileCopier& copier, const std::filesystem::path& local,
                                const std::string& remote);
    Task<std::filesystem::path> receive(const std::string& remote, const std::filesystem::path& directory,
                                        const RunOptions& options);
    Task<std::filesystem::path> download_by_copier(FileCopier& copier, const std::string& remote,
                                                   const std::filesystem::path& directory);

    Connection& connection_;
    PosixShellOptions options_;
    Runtime& runtime_;
    bool no_tar_ = false;  // learned from the target
};

}  // namespace volley::transports
