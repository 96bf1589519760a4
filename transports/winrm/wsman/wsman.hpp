#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transports/winrm/failure.hpp"

namespace volley::transports::winrm {

/// WS-Management as Windows speaks it (MS-WSMV): envelopes as texts, without any input or output.

/// An envelope to be sent, and the identity that its answer refers to.
struct Envelope {
    std::string message_id;  ///< "uuid:..."
    std::string text;
    std::chrono::seconds held{};  ///< how long the server may take for its answer
};

/// One piece of output in the answer to a Receive.
struct ReceivedStream {
    std::string name;        ///< "stdout"
    std::string command_id;  ///< empty: of the shell itself
    std::string bytes;
};

struct ReceiveAnswer {
    std::vector<ReceivedStream> streams;  ///< in the order of their making
    bool done = false;                    ///< the command has ended and this is its last output
};

/// A refusal of the server. Faults are distinguished by number: their texts are in the server's language.
class WsmanFault final : public Failure {
public:
    WsmanFault(std::uint32_t code, std::string subcode, const std::string& text, std::string activity)
        : Failure(text), code_(code), subcode_(std::move(subcode)), activity_(std::move(activity)) {}
    /// Number, what the user can do about it, and what the server says.
    std::string reason() const override;
    /// 0: none, only a subcode.
    std::uint32_t code() const noexcept { return code_; }
    /// Without its prefix: "TimedOut", "QuotaLimit"; may be empty.
    const std::string& subcode() const noexcept { return subcode_; }
    /// What the server's event log calls this request; may be empty.
    const std::string& activity() const noexcept { return activity_; }

    /// A Receive in whose time nothing came: ask again.
    bool is_timeout() const noexcept;
    /// The shell or the command is not there (any more).
    bool is_gone() const noexcept;
    /// A passing state of the machine in which no shell was made: a user's registry that is being unloaded,
    /// or too many shells or operations at the moment.
    bool is_passing() const noexcept;

private:
    std::uint32_t code_;
    std::string subcode_;
    std::string activity_;
};

/// The answer is not one of WS-Management.
class WsmanError final : public Failure {
public:
    using Failure::Failure;
};

/// Makes the envelopes of one endpoint.
class EnvelopeWriter {
public:
    /// `endpoint`: the URL. `receive_timeout`: how long the server may hold a Receive when there is nothing
    /// yet.
    EnvelopeWriter(std::string endpoint, std::chrono::seconds receive_timeout);

    /// Opens a shell for PowerShell remoting with the pool's first fragments.
    Envelope create(std::string_view shell_id, std::string_view fragments) const;
    /// `fragment`: of the message that creates the pipeline.
    Envelope command(std::string_view shell_id, std::string_view command_id, std::string_view fragment) const;
    /// `stream`: "stdin", or "pr" for answers to calls of the host.
    Envelope send(std::string_view shell_id, std::string_view command_id, std::string_view stream,
                  const std::vector<std::string>& fragments) const;
    /// An empty command: the shell's own output.
    Envelope receive(std::string_view shell_id, std::string_view command_id) const;
    enum class Signal { Stop, Terminate };
    Envelope signal(std::string_view shell_id, std::string_view command_id, Signal signal) const;
    Envelope remove(std::string_view shell_id) const;

    /// How many bytes of fragments fit into one envelope that a server of any version takes.
    static constexpr std::size_t fragment_space = 110'000;
    /// How long a server may take for everything but a Receive.
    static constexpr std::chrono::seconds usual_timeout{60};
    /// The longest answer that servers are asked for, in bytes.
    static constexpr std::size_t most_answer = 153'600;

private:
    struct Parts;
    Envelope envelope(const Parts& parts) const;

    std::string endpoint_;
    std::chrono::seconds receive_timeout_;
    std::string session_;
};

/// What an answer contains. All of them throw WsmanFault, and WsmanError for what is not an answer to the
/// envelope.
void check_answer(std::string answer, const Envelope& request);
std::string read_create_answer(std::string answer, const Envelope& request);   ///< the shell's id
std::string read_command_answer(std::string answer, const Envelope& request);  ///< the command's id
ReceiveAnswer read_receive_answer(std::string answer, const Envelope& request);
/// The fault of an answer with an HTTP error status; nullopt when its body is not a fault.
std::optional<WsmanFault> read_fault(std::string answer);

/// What the user can do about a fault: a sentence without its full stop, or empty.
std::string_view fault_advice(const WsmanFault& fault) noexcept;

}  // namespace volley::transports::winrm
