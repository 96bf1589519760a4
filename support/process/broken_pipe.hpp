#pragma once

namespace volley {

/// A closed pipe or socket is an error of write() (EPIPE) from now on, not the end of the program; so is a
/// file that grows beyond the limit of files (EFBIG). By a handler instead of SIG_IGN, which programs that
/// are started would inherit. May be called again.
void survive_broken_pipes() noexcept;

}  // namespace volley
