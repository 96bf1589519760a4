#pragma once

#include "transports/powershell.hpp"
#include "transports/winrm/psrp/psrp.hpp"

namespace volley::transports::winrm {

/// The pipeline that runs a script, as PowerShellUse describes it. `takes_input` is for Housekeeping only.
PipelineSpec script_pipeline(const PowerShellScript& script, bool takes_input);

}  // namespace volley::transports::winrm
