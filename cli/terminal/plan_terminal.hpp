#pragma once

#include <string>

#include "cli/run/session.hpp"
#include "planner/plan/terminal.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// Asks the person at standard input for a plan; the question goes to standard error (FN-043). The loop goes
/// on while nobody answers; standard output waits.
class PlanTerminal final : public planner::Terminal {
public:
    PlanTerminal(Session& session, transports::Runtime& runtime) : session_(session), runtime_(runtime) {}
    bool interactive() const override;
    transports::Task<std::string> ask(std::string question, bool hidden) override;

private:
    Session& session_;
    transports::Runtime& runtime_;
};

}  // namespace volley::cli
