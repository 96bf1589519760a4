#include "transports/winrm/script_pipelines.hpp"

#include <utility>

namespace volley::transports::winrm {
namespace {

/// Bolt's way to run a script: what fails in it is an error record with its position, its output is text. Its
/// exit code is that of the last native program when the last statement failed (PS-010).
PipelineSpec action_pipeline(const PowerShellScript& script) {
    PipelineSpec spec;
    PipelineCommand invoke{.text = "Invoke-Expression", .is_script = false, .parameters = {}};
    invoke.parameters.push_back(
        {"Command",
         script.text + "\r\nif (!$?) { if ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 } }"});
    PipelineCommand format{.text = "Out-String", .is_script = false, .parameters = {}};
    format.parameters.push_back({"Stream", std::nullopt});
    spec.commands = {std::move(invoke), std::move(format)};
    return spec;
}

}  // namespace

PipelineSpec script_pipeline(const PowerShellScript& script, bool takes_input) {
    if (script.use == PowerShellUse::Action) return action_pipeline(script);
    PipelineSpec spec;
    PipelineCommand command{.text = script.text, .is_script = true, .parameters = {}};
    for (const std::string& argument : script.arguments) command.parameters.push_back({"", argument});
    spec.commands.push_back(std::move(command));
    spec.takes_input = takes_input;
    spec.output = PipelineOutput::Bytes;
    return spec;
}

}  // namespace volley::transports::winrm
