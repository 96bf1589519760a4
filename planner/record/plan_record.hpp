#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "journal/journal.hpp"
#include "planner/plan_scope.hpp"
#include "planner/record/known_secrets.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// A frame lacks what it must have; what() says which, and what.
class RecordDamage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the record calls a scope: steps of two runs are compared by it.
std::string recorded_label(const PlanScope& scope, const KnownSecrets& secrets);

/// The plans and branches that a step is in, of the labels of their scopes (plan_scope.hpp): the same each
/// time, whatever the branches of a plan do first.
std::vector<std::string> place_in_plan(std::vector<std::string> labels);
/// One of these labels is that of a block of background.
bool in_background(const std::vector<std::string>& labels);

/// What a run of a plan that resumes knows of the runs before it, from the journal or from a plan log.
struct PlanRecord {
    struct Part {
        enum class State : std::uint8_t {
            Begun,      ///< nobody saw the end
            Done,       ///< the result is here
            NotStored,  ///< went well, and the result held a secret or was too long
            Failed,
        };
        State state = State::Begun;
        std::string target;                 ///< as people call it
        std::shared_ptr<const Json> value;  ///< of Done
        bool used = false;
    };
    struct Step {
        std::string key;
        std::string description;
        std::size_t targets = 0;
        std::vector<std::string> place;     ///< place_in_plan()
        bool ordered = true;                ///< in no block of background, which goes on beside the rest
        std::map<std::string, Part> parts;  ///< by id
        bool met = false;                   ///< something of it was used
        /// It went well on all its targets, and all it returned is here.
        bool complete() const;
    };
    std::string plan;
    std::string parameters;   ///< a signature: differs for other parameters, and shows nothing of them
    bool incomplete = false;  ///< what is not in it may have been started all the same
    std::vector<Step> steps;
    /// What began and whose end nobody saw, nor did a later run do it again.
    std::vector<const Step*> unseen() const;

    /// `chain`: the run, and those that it had resumed, the first one first. What had failed in a run is not
    /// in it when another one went on. Throws RecordDamage.
    static PlanRecord of(const std::vector<journal::RunRecord>& chain);
};

}  // namespace volley::planner
