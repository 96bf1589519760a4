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

/// What a value will be once it is resolved: nullopt for all that is what it is, null when it is not known.
using FutureType = std::function<std::optional<TypePtr>(const Value&)>;

/// Whether a value fits a type, now or, where that is known, once it is resolved.
bool fits_type(const Type& type, const Value& value, const FutureType& future);

/// Checks named values against declarations; one sentence for each that is wrong, missing or unknown.
/// With `missing_allowed` a parameter without value is not a mistake.
std::vector<std::string> check_parameters(std::span<const ParameterDeclaration> declared, const Hash& given,
                                          bool missing_allowed = false, const FutureType& future = {});

/// The same for a class or defined type, as one message; nullopt when all match. `subject` is "Class[Foo]".
std::optional<std::string> describe_parameters(std::string_view subject,
                                               std::span<const ParameterDeclaration> declared,
                                               const Hash& given, const FutureType& future = {});

}  // namespace volley
