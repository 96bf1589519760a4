#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "transports/connection.hpp"
#include "transports/winrm/channels.hpp"
#include "transports/winrm/psrp/psrp.hpp"
#include "transports/winrm/wsman/wsman.hpp"

namespace volley::transports::winrm {

/// A shell of the server with its runspace pool: one process there. It is not bound to a channel: when one is
/// lost while a pipeline runs, its output comes over the next one. Loop thread only.
class RemoteShell {
public:
    /// `envelopes` must outlive it.
    explicit RemoteShell(const EnvelopeWriter& envelopes) : envelopes_(envelopes) {}
    RemoteShell(const RemoteShell&) = delete;
    RemoteShell& operator=(const RemoteShell&) = delete;

    /// Opens it over `channel`; returns PowerShell's version there. Called once. Throws WsmanFault,
    /// HttpError, HttpRefusal, SecurityError, WsmanError, ProtocolError.
    Task<std::string> open(ChannelLease& channel);

    /// Runs one pipeline to its end. Throws as open() does, and NotYetStarted instead of any of them while
    /// the server has certainly not accepted the pipeline.
    Task<ExitStatus> run(ChannelLease& channel, const PipelineSpec& spec, Input& input, OutputSink& sink);
    /// Frees what the last pipeline has there, when another one is to follow: servers count them.
    Task<void> forget_last(ChannelLease& channel);
    /// Ends the shell with everything in it, if there is one. A fault is not looked at.
    Task<void> remove(ChannelLease& channel);
    /// The same, after stopping a pipeline that may still run.
    Task<void> stop_and_remove(ChannelLease& channel);

private:
    Task<std::string> ask(ChannelLease& channel, const Envelope& request, Resend when = Resend::Refused);
    Task<void> wait_until_opened(ChannelLease& channel);
    Task<std::string> start(ChannelLease& channel, Pipeline& pipeline);
    Task<void> send_input(ChannelLease& channel, Pipeline& pipeline, Input& input);
    Task<void> send(ChannelLease& channel, std::string_view stream, std::vector<std::string> fragments);
    /// False when there was nothing yet.
    Task<bool> receive(ChannelLease& channel, std::string_view command, bool& done, Resend when);

    const EnvelopeWriter& envelopes_;
    RunspacePool pool_;
    std::string id_;
    std::string command_;  // of the last pipeline, as the server calls it
};

/// The pipeline was not accepted; it may be run again elsewhere.
class NotYetStarted final : public Failure {
public:
    NotYetStarted(const std::string& text, bool shell_is_gone)
        : Failure(text), shell_is_gone_(shell_is_gone) {}
    /// The server does not know the shell any more; another shell may do.
    bool shell_is_gone() const noexcept { return shell_is_gone_; }

private:
    bool shell_is_gone_;
};

}  // namespace volley::transports::winrm
