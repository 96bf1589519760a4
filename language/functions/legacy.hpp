#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/functions/builtin.hpp"

/// What functions of Puppet's older (3.x) API have in common. Compatibility: their arguments are converted
/// before they see them, and the number of arguments is all that is checked.
namespace volley {

/// The arguments as such a function gets them: undef is '' (inside lists and hashes it stays undef), regular
/// expressions, versions, times and binaries are text. Throws EvalError for an iterator.
std::vector<Value> legacy_arguments(std::span<const Value> arguments);

/// References are resources there, and look like those: File[/x], Class[A::B]. Of other values nullopt.
std::optional<std::string> legacy_resource(const Value& argument);

/// Throws EvalError when `count` arguments are not what an arity allows: 2 is exactly two, -3 two or more.
void check_legacy_arity(std::string_view name, int arity, std::size_t count);

/// Throws EvalError where there is no catalog: "The feature 'ERB template' is only available ...".
/// Compatibility: with its line, and not as a mistake of the evaluation.
void require_catalog(const CallContext& context, std::string_view feature);

/// The one dispatch of such a function.
Dispatch legacy_dispatch(Dispatch::Body body);

}  // namespace volley
