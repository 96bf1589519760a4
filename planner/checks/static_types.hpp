#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "language/evaluator/environment.hpp"
#include "language/syntax/ast.hpp"
#include "language/types/type.hpp"
#include "language/value.hpp"
#include "planner/plan/plan_library.hpp"
#include "planner/yaml_plan/yaml_value.hpp"

namespace volley::planner {

/// What can be said of the value of an expression before anything runs.
struct StaticType {
    TypePtr type;                ///< null: nothing
    std::optional<Value> value;  ///< it is this very value, and `type` is its type
};

/// Looks at the expressions of one plan: literals, parameters by their types, variables that are set once,
/// functions by what they return. Says nothing rather than something doubtful. The plan and the environment
/// must outlive it.
class StaticTypes {
public:
    StaticTypes(const PlanDefinition& plan, Environment& environment);

    StaticType of(const ast::Node& node) const;
    StaticType of(const YamlValue& value) const;

    /// Why no value of `given` can be one of `expected`: "expects an Integer value, got String". Nullopt when
    /// some may, or when too little is known.
    static std::optional<std::string> mismatch(const StaticType& given, const TypePtr& expected);

private:
    void collect(const ast::Node& node);
    StaticType of_call(const ast::Call& call) const;

    Environment& environment_;
    std::map<std::string, StaticType, std::less<>>
        variables_;  // of no type: set more than once, or by a block
};

/// The text of a name or a literal text.
std::optional<std::string> literal_text(const ast::Node& node);

}  // namespace volley::planner
