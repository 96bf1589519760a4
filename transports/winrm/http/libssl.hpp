#pragma once

namespace volley::transports::winrm {

/// Loads libssl, which everything in it that this component calls goes through: linked, it would cost every
/// start of the program half a millisecond, and most runs use no WinRM. Call it before anything of TLS.
/// Throws HttpError when it is not there.
void load_libssl();

}  // namespace volley::transports::winrm
