#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "inventory/inventory.hpp"
#include "planner/action.hpp"
#include "planner/procedure.hpp"
#include "planner/results/result.hpp"
#include "transports/pool.hpp"

namespace volley::planner {

/// What every job of an executor shares.
struct JobTools {
    transports::ConnectionPool& pool;
    inventory::Inventory& inventory;
    bool script_interpreter = false;             ///< SH-019
    transports::OutputSink* observer = nullptr;  ///< of this job; null: nobody watches output
};

/// One action on one target. It has what it is doing, for the message of an interruption.
class Job final : private TargetAccess {
public:
    Job(JobTools tools, const Action& action, const inventory::Target& target);

    /// The result; what the target or the way to it does wrong is one too. Throws only
    /// boost::system::system_error(operation_aborted) when it was cancelled. The Job must outlive it.
    transports::Task<Result> run();
    /// "starting", "connecting", "running", ...
    std::string_view doing() const noexcept { return doing_; }
    /// The session in use, for whoever ends it; null when there is none (yet).
    const std::shared_ptr<transports::Session>& session() const noexcept { return session_; }
    /// On an interruption: true when the job was asked to end by itself, and will; else it is cut off.
    bool ask_to_end() { return ending_ = ask_to_end_ && ask_to_end_(); }
    bool ending() const noexcept { return ending_; }

private:
    transports::Task<Result> attempt();
    transports::Task<Result> perform(const CommandAction& command);
    transports::Task<Result> perform(const ScriptAction& script);
    transports::Task<Result> perform(const TaskAction& task);
    transports::Task<Result> perform(const UploadAction& upload);
    transports::Task<Result> perform(const DownloadAction& download);
    transports::Task<Result> perform(const WaitAction& wait);
    transports::Task<Result> perform(const ProcedureAction& work);
    // TargetAccess
    const inventory::Target& target() const override { return target_; }
    void now_doing(std::string_view what) override { doing_ = what; }
    void on_interrupt(std::function<bool()> ask_to_end) override { ask_to_end_ = std::move(ask_to_end); }
    transports::OutputSink* live_output() const override { return tools_.observer; }
    transports::Task<transports::ShellTraits> shell_traits() override;
    transports::Task<transports::Output> run_command(std::string command) override;
    transports::Task<transports::ExitStatus> run_session(std::string command, transports::Input& input,
                                                         transports::OutputSink& output) override;
    const transports::ConnectionFacts* connection_facts() const override {
        return session_ ? session_->connection().facts() : nullptr;
    }
    transports::Task<Json> run_task(std::shared_ptr<const tasks::TaskDefinition> task,
                                    tasks::Arguments arguments, bool noop) override;
    transports::Task<transports::Shell*> shell_of_machine();
    transports::Task<void> connect(inventory::Target to);
    transports::RunOptions options() const;
    Result command_result(transports::Output output) const;

    JobTools tools_;
    const Action& action_;
    inventory::Target target_;
    std::string_view doing_ = "starting";
    std::function<bool()> ask_to_end_;
    bool ending_ = false;
    std::shared_ptr<transports::Session> session_;
    std::shared_ptr<const Json> transport_options_;  // of the connection in use
};

/// The target a remote target's tasks run on (REM-001). Throws Error bolt/invalid-remote-target (REM-002).
inventory::Target proxy_of(inventory::Inventory& inventory, const inventory::Target& target);

/// The folder below a download's destination that is the target's own: its safe name, percent-encoded
/// (SH-023).
std::string download_folder(std::string_view safe_name);

/// An exception on the way as data (RES-018).
ErrorInfo error_of(const std::exception& error);

}  // namespace volley::planner
