#pragma once

#include <string>
#include <string_view>

namespace volley::transports {

/// The text of transports/shell/powershell/scripts/NAME.ps1, with the files that it names in lines "#<NAME>"
/// in their place and without lines of comment.
std::string powershell_text(std::string_view name);

}  // namespace volley::transports
