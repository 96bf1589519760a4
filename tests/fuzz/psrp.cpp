// What a hostile server sends over PowerShell remoting, any fragments: states, output and calls of the host,
// or an error; output never longer than what was fed allows, and each question answered at most once.
#include "transports/winrm/psrp/psrp.hpp"

#include <cstdlib>
#include <string>
#include <string_view>

#include "transports/connection.hpp"

using namespace volley::transports;
using namespace volley::transports::winrm;

namespace {

class Counter final : public OutputSink {
public:
    void on_output(Stream, std::string_view bytes) override { size += bytes.size(); }
    std::size_t size = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    RunspacePool pool;
    Counter seen;
    PipelineSpec spec;
    spec.output = PipelineOutput::Bytes;
    PipelineCommand command;
    command.text = "x";
    spec.commands.push_back(std::move(command));
    Pipeline pipeline(pool, spec, seen);
    std::size_t answers = 0;
    try {
        // First as fragments, then each line as the content of messages to the pool and to the pipeline.
        Defragmenter defragmenter;
        for (const std::string& message : defragmenter.take(bytes))
            static_cast<void>(decode_message(message));
    } catch (const ProtocolError& error) {
        if (*error.what() == '\0') std::abort();
    }
    for (const MessageType type :
         {MessageType::RunspacePoolState, MessageType::ApplicationPrivateData, MessageType::PipelineOutput,
          MessageType::ErrorRecord, MessageType::PipelineState, MessageType::PipelineHostCall}) {
        for (const bool to_pool : {true, false}) {
            try {
                std::string message = encode_message(
                    Message{type, pool.id(), to_pool ? Guid() : pipeline.id(), std::string(bytes)});
                message[0] = 1;  // for the client
                Fragmenter fragmenter;
                for (const std::string& fragment : fragmenter.cut(message, 64 * 1024)) pool.receive(fragment);
            } catch (const ProtocolError& error) {
                if (*error.what() == '\0') std::abort();
            }
            answers += pipeline.take_answers().empty() ? 0 : 1;
        }
    }
    if (answers > 1) std::abort();
    // An error record has its text in a few lines of ours, and references can repeat a text in it.
    if (seen.size > 16 * size + 1000) std::abort();
    return 0;
}
