#pragma once

#include <memory>
#include <string>

#include "cli/run/session.hpp"
#include "planner/plan/terminal.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// Asks the person at standard input, for a plan (FN-043) and for passphrases of keys; the question goes to
/// standard error. The loop goes on while nobody answers; standard output and further questions wait.
class PlanTerminal final : public planner::Terminal {
public:
    /// Answers the runtime's questions, too, when there is a terminal.
    PlanTerminal(Session& session, transports::Runtime& runtime);
    ~PlanTerminal() override;
    PlanTerminal(const PlanTerminal&) = delete;
    PlanTerminal& operator=(const PlanTerminal&) = delete;
    bool interactive() const override;
    transports::Task<std::string> ask(std::string question, bool hidden) override;

private:
    struct Turns;
    class Turn;
    static transports::Task<std::string> ask_in_turn(std::shared_ptr<Turns> turns, std::string question,
                                                     bool hidden);
    static transports::Task<std::string> answer(std::shared_ptr<Turns> turns, std::string question);

    transports::Runtime& runtime_;
    std::shared_ptr<Turns> turns_;
};

}  // namespace volley::cli
