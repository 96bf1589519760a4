#pragma once

#include <functional>
#include <string>

#include "support/unique_fd.hpp"

namespace volley::agent {

/// Only one run at a time changes a machine. Held until it is destroyed, or the process ends in whatever way.
class RunLock {
public:
    /// Waits up to `seconds` for another run, as long as `goes_on`; `waiting` hears once who it is. Throws
    /// ApplyError when that takes longer.
    RunLock(const std::string& folder, double seconds, const std::function<void(const std::string&)>& waiting,
            const std::function<bool()>& goes_on);

private:
    UniqueFd fd_;
};

}  // namespace volley::agent
