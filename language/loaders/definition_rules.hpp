#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "language/evaluator/environment.hpp"
#include "language/syntax/ast.hpp"

namespace volley {

/// The one definition that a file must hold which was read because `name` was asked for: a function, a type
/// or a plan of exactly that name and nothing beside it. Throws EvalError, without a position, that says what
/// the file holds instead. Spec "Names".
const ast::Node& only_definition(const ast::Program& program, Loadable kind, std::string_view name);

/// The path below functions/, types/ or plans/ that a name stands for, without extension: "a/b" for
/// "mod::a::b", "init" for the plan "mod". nullopt for what is not a name, and for a name without a module
/// that only an environment may define.
std::optional<std::string> path_of_name(std::string_view name, Loadable kind);

/// Every part between "::" consists of letters, digits and underscores, so that it is safe in a path.
bool is_path_safe_name(std::string_view name);

}  // namespace volley
