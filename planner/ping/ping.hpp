#pragma once

#include <string>
#include <string_view>

#include "planner/procedure.hpp"

namespace volley::planner {

/// Whether a target can be worked on: connects, logs in, becomes the user it is to become, and tries what
/// actions need there. Its result says how long that took and what was found; nothing stays on the target.
class PingProcedure final : public Procedure {
public:
    std::string_view action() const override { return "ping"; }
    std::string object() const override { return {}; }
    std::string description() const override { return "ping"; }
    transports::Task<Result> perform(TargetAccess& access) const override;
};

/// What the program on the target found, from the lines that it printed ("user deploy"), and what it means
/// for people. `now`: seconds since 1970 here, in the middle of the question.
struct PingAnswer {
    std::string user, system, shell, tmpdir;
    std::string tmpdir_state;  ///< "ok", "missing", "not writable", "noexec"
    double clock_difference = 0;
    /// Throws Error volley/ping-error when that is not an answer.
    static PingAnswer read(std::string_view text, double now);
};

}  // namespace volley::planner
