#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner/record/plan_log_frame.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// What a run is, at the head of the frames that it writes.
struct PlanLogHead {
    std::string plan;
    std::string parameters;  ///< a signature: differs for other parameters, and shows nothing of them
    bool resumed = false;    ///< it goes on where the frames before it end
};

/// What a run that resumes knows of the runs before it, from a plan log or from the journal.
struct PlanRecord {
    struct Part {
        enum class State : std::uint8_t { Begun, Done, NotStored, Failed };
        State state = State::Begun;
        std::string target;                 ///< as people call it
        std::shared_ptr<const Json> value;  ///< of Done
        bool used = false;
    };
    struct Step {
        std::string key;
        std::string description;
        std::size_t targets = 0;
        std::map<std::string, Part> parts;  ///< by id
        bool met = false;                   ///< something of it was used
        /// It went well on all its targets, and all it returned is here.
        bool complete() const;
    };
    PlanLogHead head;  ///< of the first run
    std::vector<Step> steps;
    /// What began and whose end nobody saw, nor did a later run do it again.
    std::vector<const Step*> unseen() const;

    /// Throws PlanLogDamage when a frame lacks what it must have.
    static PlanRecord of(const PlanLogFrames& frames);
};

}  // namespace volley::planner
