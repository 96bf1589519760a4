#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "transports/connection.hpp"
#include "transports/powershell_pipe/packets.hpp"
#include "transports/winrm/psrp/psrp.hpp"

namespace volley::transports::powershell_pipe {

/// Starts an engine and carries what it reads and writes, until its process has ended.
using ByteChannel = std::function<Task<ExitStatus>(Input& input, OutputSink& output)>;

/// One PowerShell in its server mode at the other end of a byte stream, with one runspace. One pipeline at a
/// time. Loop thread only.
class Engine {
public:
    Engine(const boost::asio::any_io_executor& executor, ByteChannel channel);
    /// Cancels the channel when that has not ended.
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Waits until it is ready; returns PowerShell's version. Called once, first. Throws Failure, and what
    /// the channel throws.
    Task<std::string> open();
    /// Runs one pipeline to its end. Throws as open() does, and what `input` and `sink` throw; except for
    /// what `input` throws the engine is not usable afterwards.
    Task<ExitStatus> run(const winrm::PipelineSpec& spec, Input& input, OutputSink& sink);
    /// The last pipeline may have begun.
    bool handed_over() const noexcept { return handed_over_; }
    /// Waits until the last pipeline is freed, so that another one can follow.
    Task<void> settle();
    /// Stops a pipeline that may still run, and waits for the end of the process.
    Task<void> end();

private:
    class Carrier;
    void on_packet(const Packet& packet);
    void send(PacketKind kind, const winrm::Guid& pipeline);
    void send_data(std::string line);
    Task<void> until_acknowledged(PacketKind kind);
    Task<void> until(const std::function<bool()>& ready);
    Task<void> send_input(winrm::Pipeline& pipeline, Input& input);
    Task<void> answer_and_wait(winrm::Pipeline& pipeline);

    std::shared_ptr<Carrier> carrier_;
    winrm::RunspacePool pool_;
    winrm::Guid last_;  // pipeline
    bool running_ = false;
    bool handed_over_ = false;
    std::array<std::uint32_t, packet_kinds> owed_{};  // acknowledgements, by kind
};

}  // namespace volley::transports::powershell_pipe
