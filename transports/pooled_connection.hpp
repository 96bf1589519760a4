#pragma once

#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>

#include "transports/powershell.hpp"
#include "transports/task_agent.hpp"
#include "transports/transport.hpp"

namespace volley::transports {

/// A connection that opens itself, and again when the session was lost before a command began. Whoever asks
/// while it is being opened waits for the same attempt. Loop thread only.
class PooledConnection final : public Connection, private PowerShellSession, private TaskAgent {
public:
    PooledConnection(Runtime& runtime, Transport& transport, TargetConfig target);
    /// Without close(): the session is ended in the background, by the loop.
    ~PooledConnection() override;

    /// Makes sure that a session is open. Throws TransportError.
    Task<void> open();

    Task<ExitStatus> execute(const Command& command, Input& input, OutputSink& sink) override;
    bool streams_input() const noexcept override { return !session_ || session_->streams_input(); }
    bool runs_sh() const noexcept override { return session_ && session_->runs_sh(); }
    bool alive() const noexcept override { return session_ && session_->alive(); }
    Task<void> close() override;
    const std::string& user() const noexcept override;
    FileCopier* copier() noexcept override { return session_ ? session_->copier() : nullptr; }
    PowerShellSession* powershell() noexcept override {
        return session_ && session_->powershell() != nullptr ? this : nullptr;
    }
    TaskAgent* task_agent() noexcept override {
        return session_ && session_->task_agent() != nullptr ? this : nullptr;
    }
    const ConnectionFacts* facts() const noexcept override { return session_ ? session_->facts() : nullptr; }
    const TargetConfig& target() const noexcept { return target_; }

private:
    Task<ExitStatus> run(const PowerShellScript& script, Input& input, OutputSink& sink) override;
    std::string_view version() const noexcept override {
        return session_ ? session_->powershell()->version() : std::string_view();
    }
    FileCopier* files() noexcept override { return session_ ? session_->powershell()->files() : nullptr; }
    Task<Output> run_task(TaskExecution task, RunOptions options) override;
    bool runs_powershell() const noexcept override {
        return session_ && session_->task_agent()->runs_powershell();
    }
    /// Does something on the session, and again on a new one when that was lost before it began.
    template <class Result, class Action>
    Task<Result> started(Action action);

    Runtime& runtime_;
    Transport& transport_;
    TargetConfig target_;
    std::shared_ptr<Connection> session_;  // shared: one that is replaced may still have a command on it
    std::string user_;
    std::shared_ptr<boost::asio::steady_timer> opening_;  // waited for by those who come meanwhile
};

}  // namespace volley::transports
