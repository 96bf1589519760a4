#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::transports::winrm {

/// The CLIXML of the messages that a client sends (MS-PSRP 2.2.2).

/// A parameter of a command: named with a text, named as a switch, or positional (no name).
struct CommandParameter {
    std::string name{};
    std::optional<std::string> value{};  ///< absent: a switch
};

/// One command of a pipeline.
struct PipelineCommand {
    std::string text;
    bool is_script = false;
    std::vector<CommandParameter> parameters{};
};

std::string session_capability_data();
std::string init_runspace_pool_data();
/// `takes_input`: messages of input follow, and their end.
std::string create_pipeline_data(const std::vector<PipelineCommand>& commands, bool takes_input);
/// A block of bytes as one object, a byte array.
std::string byte_array_data(std::string_view bytes);
/// The answer to a call of the host that cannot be served: the script gets an exception with this text.
std::string host_refusal_data(std::int64_t call, std::int32_t method, std::string_view label,
                              std::string_view text);

}  // namespace volley::transports::winrm
