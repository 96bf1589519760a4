#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "language/evaluator/evaluator.hpp"
#include "planner/plan/plan_library.hpp"
#include "planner/yaml_plan/yaml_value.hpp"

namespace volley::planner {

/// One step of a YAML plan: what to do, with the values of its keys still to be evaluated.
struct YamlStep {
    std::string action;               ///< "command", "task", ... (YML-009)
    std::optional<std::string> name;  ///< its result is stored under that name (YML-011)
    YamlValue body;                   ///< every key of the step
};

/// A plan written in YAML (section 7.5). Immutable; read and checked as a whole before anything runs.
class YamlPlan {
public:
    struct Parameter {
        std::string name;
        std::optional<std::string> type_text;
        TypePtr type;                               ///< null: Any
        std::shared_ptr<const Json> default_value;  ///< null: none, also for a null default (YML-003)
        std::optional<std::string> description;
        Location type_at = {};     ///< where type_text stands
        Location default_at = {};  ///< where default_value stands
    };

    /// Throws Error bolt/pal-error for text that is not valid YAML (YML-026), bolt/invalid-plan for what is
    /// not a plan.
    static std::shared_ptr<const YamlPlan> parse(const std::string& name, std::string text,
                                                 const std::string& file, Environment& environment);

    const std::string& name() const noexcept { return name_; }
    const std::string& file() const noexcept { return file_; }
    const std::optional<std::string>& description() const noexcept { return description_; }
    bool is_private() const noexcept { return private_.value_or(false); }
    /// What the key `private` says; nullopt when it is absent.
    const std::optional<bool>& private_key() const noexcept { return private_; }
    const std::vector<Parameter>& parameters() const noexcept { return parameters_; }
    const std::vector<YamlStep>& steps() const noexcept { return steps_; }
    const std::optional<YamlValue>& returned() const noexcept { return return_; }
    std::vector<PlanParameter> described_parameters() const;

    /// From a fiber: runs the steps in order and returns what `return` stands for. Throws EvalError for wrong
    /// parameters, PlanError bolt/evaluation-error for code that fails (YML-023), and what the steps throw.
    Value run(Evaluator& evaluator, const Hash& parameters) const;

private:
    friend class YamlPlanReader;
    YamlPlan() = default;
    FramePtr bind(Evaluator& evaluator, const Hash& given) const;

    std::string name_;
    std::string file_;
    std::optional<std::string> description_;
    std::optional<bool> private_;
    std::vector<Parameter> parameters_;
    std::vector<YamlStep> steps_;
    std::optional<YamlValue> return_;
};

/// The function a step calls and its arguments, from the evaluated keys. Not for `eval` and `resources`.
struct YamlCall {
    std::string function;
    std::vector<Value> arguments;
};
YamlCall yaml_call(const std::string& action, const Hash& body);

/// The options of each kind of step; they become `_name` (YML-012 to YML-019).
const std::vector<std::string>& yaml_option_keys(const std::string& action);

}  // namespace volley::planner
