#pragma once

namespace volley {

/// Keeps this process's memory, with the passwords in it, out of core dumps and away from debuggers of other
/// processes of the same user. Programs that are started are not affected.
void forbid_core_dumps() noexcept;

}  // namespace volley
