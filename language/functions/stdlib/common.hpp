#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "language/flattened.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"

/// What the functions of the stdlib module have in common. They are Ruby functions there; here they are
/// native, with the same results and messages, so that modules that call them need no Ruby.
namespace volley::stdlib {

[[noreturn]] void fail(const std::string& message);

/// Ruby's ==, which takes 1 and 1.0 for equal.
bool ruby_equal(const Value& a, const Value& b);

/// Whether `test` holds of args[0] and args[1], which is a text or a list of texts: of one of them.
bool holds_of_any(std::span<const Value> args, bool (*test)(std::string_view text, std::string_view other));

/// str2bool() and num2bool(); others stand on them. Throw EvalError with their messages.
bool string_truth(const Value& value);
bool number_truth(const Value& value);

/// Ruby's Integer(text) and Float(text): the whole text must be a number.
std::optional<std::int64_t> strict_integer(std::string_view text);
std::optional<double> strict_float(std::string_view text);
/// Ruby's to_i: the number at the start of a text, else 0; a Float is cut.
std::int64_t loose_integer(const Value& value);

/// What deprecation() does: an error, a warning or nothing, as the setting `strict` says.
void deprecate(CallContext& context, std::string_view key, const std::string& message);

/// Hexadecimal digits of Ruby's Digest::MD5, the seed of functions whose result depends on the node.
std::string node_seed(CallContext& context, const std::vector<Value>& more);

/// prefix() and suffix(): what `changed` makes of each element of a list, or of each key of a hash, and of
/// the text that was given. Throws EvalError with the messages of the function of that name.
Value affixed(std::string_view function, std::span<const Value> args,
              std::string (*changed)(const std::string& item, const std::string& added));

/// A variable of the top scope as text, as Ruby functions look it up. Throws EvalError for an unknown one.
Value top_variable(CallContext& context, std::string_view name);

}  // namespace volley::stdlib
