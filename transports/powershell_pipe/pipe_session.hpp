#pragma once

#include <memory>
#include <string>

#include "transports/powershell.hpp"
#include "transports/powershell_pipe/engine.hpp"
#include "transports/winrm/failure.hpp"

namespace volley::transports::powershell_pipe {

/// No engine started: nothing was run.
class DidNotStart final : public winrm::Failure {
public:
    using Failure::Failure;
};

/// PowerShell over byte streams, each of which is an engine. An action has one of its own; the shell's own
/// scripts share one, which ends when an action begins: a server may allow one stream only (MaxSessions of
/// sshd).
class PipeSession final : public PowerShellSession {
public:
    /// `channel` starts an engine each time. `label` names the target.
    PipeSession(boost::asio::any_io_executor executor, ByteChannel channel, std::string label);
    /// Ends what is left in the background.
    ~PipeSession() override;

    /// Throws DidNotStart, too.
    Task<ExitStatus> run(const PowerShellScript& script, Input& input, OutputSink& sink) override;
    std::string_view version() const noexcept override { return version_; }
    /// Ends every engine, within a time. Never throws.
    Task<void> close();

private:
    struct Shared;
    struct Lease;
    Task<void> open(Lease& lease);
    Task<bool> take_kept(Lease& lease);
    Task<ExitStatus> run_in(Engine& engine, const winrm::PipelineSpec& spec, Input& input, OutputSink& sink);

    std::shared_ptr<Shared> shared_;
    ByteChannel channel_;
    std::string label_;
    std::string version_;
    std::unique_ptr<Engine> kept_;
    std::size_t actions_ = 0;  // under way
    bool closed_ = false;
};

}  // namespace volley::transports::powershell_pipe
