#pragma once

#include <span>
#include <string>
#include <string_view>

#include "language/functions/stdlib/common.hpp"

/// What the deprecated is_*() and validate_*() functions check; validate_legacy() uses the checks alone.
namespace volley::stdlib {

enum class DeprecatedFor { Match, Validation };
/// The module's sentence that a function is deprecated for a type.
std::string deprecated_text(std::string_view type, DeprecatedFor use);

bool check_is_array(std::span<const Value> args);
bool check_is_string(std::span<const Value> args);
bool check_is_bool(std::span<const Value> args);
bool check_is_numeric(std::span<const Value> args);
bool check_is_float(std::span<const Value> args);
bool check_is_absolute_path(std::span<const Value> args);
bool check_is_ip_address(std::span<const Value> args);

// These throw EvalError for what they do not accept.
void check_strings(std::span<const Value> args);
void check_booleans(std::span<const Value> args);
void check_arrays(std::span<const Value> args);
void check_hashes(std::span<const Value> args);
void check_integers(std::span<const Value> args);
void check_numbers(std::span<const Value> args);
void check_pattern(std::span<const Value> args);
void check_lengths(std::span<const Value> args);
void check_absolute_paths(std::span<const Value> args);
void check_ip_addresses(std::span<const Value> args);

using OldCheck = void (*)(std::span<const Value>);
/// The check of a validate_*() function; nullptr for other names.
OldCheck old_check(std::string_view function);
using OldQuestion = bool (*)(std::span<const Value>);
/// The same for is_*().
OldQuestion old_question(std::string_view function);

}  // namespace volley::stdlib
