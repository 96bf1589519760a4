#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/types/type.hpp"

namespace volley {

/// What a function (or one of its dispatches) accepts, with the names that messages show.
struct Signature {
    TypePtr callable;                // a Callable type
    std::vector<std::string> names;  // of the parameters
    std::string block_name = "block";
};

/// Why a type is not what is expected, in Puppet's words: "parameter 'x' expects an Integer value, got
/// String". `subject` is what the sentence is about. Empty when they match.
std::string describe_mismatch(std::string_view subject, const TypePtr& expected, const TypePtr& actual);

/// Why the arguments (a Tuple; a block is the last element) fit none of a function's signatures.
/// `function` is its name, or "lambda".
std::string describe_signatures(std::string_view function, std::span<const Signature> signatures,
                                const TypePtr& arguments);

/// One declared parameter of a task, plan, class or defined type.
struct ParameterDeclaration {
    std::string name;
    TypePtr type;              // null: Any
    bool has_default = false;  // may be left out
};

/// What a value will be once it is resolved: nullopt for all that is what it is, null when nobody can tell.
using FutureType = std::function<std::optional<TypePtr>(const Value&)>;

/// Whether a value fits a type, now or, as far as one can tell, once it is resolved.
bool fits_type(const Type& type, const Value& value, const FutureType& future);

/// Checks named values against declarations; one sentence for each that is wrong, missing or unknown.
/// With `missing_allowed` a parameter without value is no mistake.
std::vector<std::string> check_parameters(std::span<const ParameterDeclaration> declared, const Hash& given,
                                          bool missing_allowed = false, const FutureType& future = {});

/// The same for a class or defined type, as one message; nullopt when all match. `subject` is "Class[Foo]".
std::optional<std::string> describe_parameters(std::string_view subject,
                                               std::span<const ParameterDeclaration> declared,
                                               const Hash& given, const FutureType& future = {});

/// Whether a task may be run with these parameters: the whole message ("Task foo:\n parameter 'x' expects
/// ...") or nullopt. `declared` is nullopt for a task whose metadata declares no parameters: it takes any
/// data. Spec TSK "Parameters".
std::optional<std::string> describe_task_parameters(
    std::string_view task, const std::optional<std::vector<ParameterDeclaration>>& declared,
    const Hash& given);

}  // namespace volley
