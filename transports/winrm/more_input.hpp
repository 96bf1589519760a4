#pragma once

#include "transports/connection.hpp"

namespace volley::transports::winrm {

/// Waits until `input` has more, after a read that returned nothing. Throws
/// boost::system::system_error(operation_aborted) when cancelled.
Task<void> more_input(Input& input);

}  // namespace volley::transports::winrm
