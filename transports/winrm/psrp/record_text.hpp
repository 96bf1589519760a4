#pragma once

#include <string>

#include "transports/winrm/psrp/clixml.hpp"

namespace volley::transports::winrm {

/// An object that a pipeline outputs, as a line of text has it.
std::string object_text(const ClixmlValue& value);
/// An error record as users see it on stderr, its line ends included. Compatibility: Bolt's forms, which
/// depend on where the error came from.
std::string error_record_text(const ClixmlValue& record);
/// The same for the error that ended a pipeline.
std::string ending_error_text(const ClixmlValue& record);
/// The message of an error record alone.
std::string error_message(const ClixmlValue& record);

}  // namespace volley::transports::winrm
