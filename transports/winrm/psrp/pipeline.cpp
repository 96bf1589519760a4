#include <fmt/format.h>

#include <limits>

#include "support/text.hpp"
#include "transports/connection.hpp"
#include "transports/winrm/psrp/psrp.hpp"
#include "transports/winrm/psrp/record_text.hpp"

namespace volley::transports::winrm {
namespace {

// PSInvocationState (MS-PSRP 2.2.3.5).
constexpr std::int64_t invocation_stopped = 3;
constexpr std::int64_t invocation_completed = 4;
constexpr std::int64_t invocation_failed = 5;

// Nobody waits for the answer to a call with this number.
constexpr std::int64_t call_without_answer = -100;

// RemoteHostMethodId (MS-PSRP 2.2.3.17).
enum class HostMethod : std::int64_t {
    SetShouldExit = 6,
    Write1 = 13,
    Write2,
    WriteLine1,
    WriteLine2,
    WriteLine3,
    WriteErrorLine,
    WriteDebugLine,
    WriteProgress,
    WriteVerboseLine,
    WriteWarningLine,
};

constexpr std::string_view line_end = "\r\n";

/// The text among the parameters of a call; colours come before it.
std::string text_parameter(const ClixmlValue& parameters) {
    for (auto item = parameters.items.rbegin(); item != parameters.items.rend(); ++item)
        if ((*item)->tag == "S" || (*item)->tag == "Obj") return object_text(**item);
    return {};
}

}  // namespace

Pipeline::Pipeline(RunspacePool& pool, const PipelineSpec& spec, OutputSink& sink)
    : pool_(pool),
      create_data_(create_pipeline_data(spec.commands, spec.takes_input)),
      output_(spec.output),
      sink_(sink) {
    pool_.pipelines_.emplace(id_.text(), this);
}

Pipeline::~Pipeline() { pool_.pipelines_.erase(id_.text()); }

std::vector<std::string> Pipeline::start(std::size_t most) {
    return pool_.encode(MessageType::CreatePipeline, id_, std::move(create_data_), most);
}

std::vector<std::string> Pipeline::input(std::string_view bytes, std::size_t most) {
    return pool_.encode(MessageType::PipelineInput, id_, byte_array_data(bytes), most);
}

std::string Pipeline::end_of_input() {
    constexpr std::size_t small = 256;
    return pool_.encode(MessageType::EndOfPipelineInput, id_, {}, small).front();
}

void Pipeline::on_message(const Message& message) {
    switch (message.type) {
        case MessageType::PipelineOutput:
            // An object that is $null has no data, and as in a console nothing is printed for it.
            if (message.data.empty()) return;
            return on_output(ClixmlDocument::parse(message.data).root());
        case MessageType::ErrorRecord:
            return sink_.on_output(Stream::Err,
                                   error_record_text(ClixmlDocument::parse(message.data).root()));
        case MessageType::PipelineState:
            return on_state(ClixmlDocument::parse(message.data).root());
        case MessageType::PipelineHostCall:
            return on_host_call(ClixmlDocument::parse(message.data).root());
        // Warnings and the like come as calls of the host, too, which are what is printed.
        default:
            return;
    }
}

void Pipeline::line(Stream stream, std::string_view text) {
    std::string whole(text);
    whole += line_end;
    sink_.on_output(stream, whole);
}

void Pipeline::on_output(const ClixmlValue& value) {
    const ClixmlValue& content = value.wrapped != nullptr && value.text.empty() ? *value.wrapped : value;
    if (output_ == PipelineOutput::Bytes && content.tag == "BA") {
        const auto bytes = base64_decode(content.text);
        if (!bytes) throw ProtocolError("a byte array of PowerShell is not valid base64");
        if (!bytes->empty()) sink_.on_output(Stream::Out, *bytes);
        return;
    }
    const std::string text = object_text(value);
    std::string_view shown = text;
    if (shown.ends_with('\n')) shown.remove_suffix(shown.ends_with(line_end) ? 2 : 1);
    line(Stream::Out, shown);
}

void Pipeline::on_state(const ClixmlValue& value) {
    const ClixmlValue* state = value.member("PipelineState");
    const auto number = state != nullptr ? state->integer() : std::nullopt;
    if (!number) throw ProtocolError("invalid state message of a pipeline");
    const ClixmlValue* error = value.member("ExceptionAsErrorRecord");
    if (*number == invocation_completed) state_ = PipelineState::Completed;
    if (*number == invocation_stopped) state_ = PipelineState::Stopped;
    if (*number != invocation_failed) return;
    state_ = PipelineState::Failed;
    if (error != nullptr) sink_.on_output(Stream::Err, ending_error_text(*error));
}

void Pipeline::on_host_call(const ClixmlValue& value) {
    const ClixmlValue* call = value.member("ci");
    const ClixmlValue* method = value.member("mi");
    const ClixmlValue* parameters = value.member("mp");
    const auto call_number = call != nullptr ? call->integer() : std::nullopt;
    const auto method_number = method != nullptr ? method->integer() : std::nullopt;
    if (!call_number || !method_number || parameters == nullptr)
        throw ProtocolError("a call of PowerShell's host has no number, method or parameters");
    switch (static_cast<HostMethod>(*method_number)) {
        case HostMethod::SetShouldExit: {
            const auto code = parameters->items.empty() ? std::nullopt : parameters->items.front()->integer();
            if (!code || *code < std::numeric_limits<std::int32_t>::min() ||
                *code > std::numeric_limits<std::int32_t>::max())
                throw ProtocolError("a script's exit code is not a number of 32 bits");
            exit_code_ = static_cast<std::int32_t>(*code);
            break;
        }
        case HostMethod::Write1:
        case HostMethod::Write2:
            sink_.on_output(Stream::Out, text_parameter(*parameters));
            break;
        case HostMethod::WriteLine1:
            line(Stream::Out, {});
            break;
        case HostMethod::WriteLine2:
        case HostMethod::WriteLine3:
            line(Stream::Out, text_parameter(*parameters));
            break;
        case HostMethod::WriteErrorLine:
            line(Stream::Err, text_parameter(*parameters));
            break;
        case HostMethod::WriteDebugLine:
            line(Stream::Out, "Debug: " + text_parameter(*parameters));
            break;
        case HostMethod::WriteVerboseLine:
            line(Stream::Out, "Verbose: " + text_parameter(*parameters));
            break;
        case HostMethod::WriteWarningLine:
            line(Stream::Out, "Warning: " + text_parameter(*parameters));
            break;
        case HostMethod::WriteProgress:
            break;
        default:
            if (*call_number == call_without_answer) break;
            // The script must not wait for somebody who is not there: Read-Host, a confirmation, a password.
            constexpr std::size_t one_fragment = 32 * 1024;
            for (std::string& fragment : pool_.encode(
                     MessageType::PipelineHostResponse, id_,
                     host_refusal_data(
                         *call_number, static_cast<std::int32_t>(*method_number), method->text,
                         fmt::format("The script asked for input ({}), and there is nobody to answer",
                                     method->text.empty() ? "a prompt" : method->text)),
                     one_fragment))
                answers_.push_back(std::move(fragment));
    }
}

}  // namespace volley::transports::winrm
