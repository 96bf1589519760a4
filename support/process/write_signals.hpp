#pragma once

namespace volley {

/// From now on a closed pipe or socket is an error of write() (EPIPE) alone and does not end the program; so
/// is a file that grows beyond the limit on the size of files (EFBIG). By a handler instead of SIG_IGN, which
/// programs that are started would inherit. May be called again.
void ignore_write_signals() noexcept;

}  // namespace volley
