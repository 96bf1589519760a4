#include "support/process/core_dumps.hpp"

#include <sys/prctl.h>

namespace volley {

// Not RLIMIT_CORE: it is inherited, and a core_pattern that is a program does not look at it.
void forbid_core_dumps() noexcept { ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

}  // namespace volley
