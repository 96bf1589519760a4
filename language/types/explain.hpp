#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/types/mismatch.hpp"

namespace volley {

/// The same questions as in mismatch.hpp, answered for people who run tasks and plans and may never have seen
/// the notation of a type: "parameter 'limit' must be between 1 and 100, got 500". Aliases are named and not
/// spelled out; values of types that mention Sensitive are never part of a message.

/// Like describe_mismatch().
std::string explain_mismatch(std::string_view subject, const TypePtr& expected, const TypePtr& actual);

/// Like describe_signatures().
std::string explain_signatures(std::string_view function, std::span<const Signature> signatures,
                               const TypePtr& arguments);

/// One sentence for each parameter that is wrong, missing or unknown, with what may have been meant. Each
/// begins with a space.
std::vector<std::string> explain_parameters(std::span<const ParameterDeclaration> declared,
                                            const Hash& given);

/// The same as one message about `subject`; nullopt when all match.
std::optional<std::string> explain_parameters(std::string_view subject,
                                              std::span<const ParameterDeclaration> declared,
                                              const Hash& given);

/// Whether a task may be run with these parameters: the whole message ("Task foo:\n parameter 'x' must be
/// ...") or nullopt. `declared` is nullopt for a task whose metadata declares no parameters: it takes any
/// data. Spec TSK "Parameters".
std::optional<std::string> explain_task_parameters(
    std::string_view task, const std::optional<std::vector<ParameterDeclaration>>& declared,
    const Hash& given);

/// Whether values of the kind of `value` (number, boolean, list, hash; not text) may be right for the type,
/// though perhaps not this one.
bool takes_kind_of(const Type& type, const Value& value);

}  // namespace volley
