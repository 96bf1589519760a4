#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "transports/output.hpp"
#include "transports/winrm/psrp/clixml.hpp"
#include "transports/winrm/psrp/fragments.hpp"
#include "transports/winrm/psrp/guid.hpp"
#include "transports/winrm/psrp/message.hpp"
#include "transports/winrm/psrp/protocol_error.hpp"
#include "transports/winrm/psrp/requests.hpp"

namespace volley::transports {
class OutputSink;
}

namespace volley::transports::winrm {

/// PowerShell remoting (MS-PSRP) without any input or output of its own: fragments go in and out as bytes,
/// whoever carries them: WS-Management, or the pipes of `pwsh -s`. Not thread safe.

enum class PoolState : std::uint8_t { Opening, Opened, Closed, Broken };
enum class PipelineState : std::uint8_t { Running, Stopped, Completed, Failed };

/// What becomes of the objects that a pipeline outputs.
enum class PipelineOutput : std::uint8_t {
    Lines,  ///< each object is a line: its text and CR LF; a line break at its end is not doubled
    Bytes,  ///< the same, but a byte array is its bytes and nothing else
};

/// What one pipeline runs, and where its output goes.
struct PipelineSpec {
    std::vector<PipelineCommand> commands;
    bool takes_input = false;
    PipelineOutput output = PipelineOutput::Lines;
};

class RunspacePool;

/// One pipeline of a pool. It must not outlive the pool; the sink must outlive it.
class Pipeline {
public:
    Pipeline(RunspacePool& pool, const PipelineSpec& spec, OutputSink& sink);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    const Guid& id() const noexcept { return id_; }
    PipelineState state() const noexcept { return state_; }
    bool ended() const noexcept { return state_ != PipelineState::Running; }
    /// Of `exit` in the script (SetShouldExit); nullopt when it did not call that.
    std::optional<std::int32_t> exit_code() const noexcept { return exit_code_; }

    /// The fragments that start it, each at most `most` bytes; the first goes with the request that creates
    /// the command, the others follow. Called once.
    std::vector<std::string> start(std::size_t most);
    /// A block of input, as one byte array, and the end of the input.
    std::vector<std::string> input(std::string_view bytes, std::size_t most);
    std::string end_of_input();
    /// Fragments that answer calls of the host, to be sent as prompt responses; usually none.
    std::vector<std::string> take_answers() { return std::exchange(answers_, {}); }

private:
    friend class RunspacePool;
    void on_message(const Message& message);
    void on_output(const ClixmlValue& value);
    void on_state(const ClixmlValue& value);
    void on_host_call(const ClixmlValue& value);
    void line(Stream stream, std::string_view text);

    RunspacePool& pool_;
    std::string create_data_;
    PipelineOutput output_;
    OutputSink& sink_;
    Guid id_ = Guid::random();
    PipelineState state_ = PipelineState::Running;
    std::optional<std::int32_t> exit_code_;
    std::vector<std::string> answers_;
};

/// A runspace pool with one runspace.
class RunspacePool {
public:
    RunspacePool() = default;
    RunspacePool(const RunspacePool&) = delete;
    RunspacePool& operator=(const RunspacePool&) = delete;

    const Guid& id() const noexcept { return id_; }
    PoolState state() const noexcept { return state_; }
    /// Why it is Broken or Closed, as the server says it; may be empty.
    const std::string& reason() const noexcept { return reason_; }
    /// PowerShell's version, known when the pool is Opened ("5.1.17763.1"); else empty.
    const std::string& version() const noexcept { return version_; }

    /// The fragments that open it.
    std::string open();
    /// Takes whole fragments of the pool and of its pipelines, and calls the pipelines' sinks. Throws
    /// ProtocolError, and what a sink throws. Messages of pipelines that are gone are ignored.
    void receive(std::string_view fragments);
    /// Fragments may have been lost on the way. Servers number what they send: receive() throws when the next
    /// ones do not continue where the last ones ended.
    void answer_was_lost() { defragmenter_.expect_no_gap(); }

private:
    friend class Pipeline;
    void on_message(const Message& message);
    void on_state(const ClixmlValue& value);
    void on_private_data(const ClixmlValue& value);
    std::vector<std::string> encode(MessageType type, const Guid& pipeline, std::string data,
                                    std::size_t most);

    Guid id_ = Guid::random();
    PoolState state_ = PoolState::Opening;
    std::string reason_;
    std::string version_;
    Fragmenter fragmenter_;
    Defragmenter defragmenter_;
    std::unordered_map<std::string, Pipeline*> pipelines_;  // by id.text()
};

}  // namespace volley::transports::winrm
