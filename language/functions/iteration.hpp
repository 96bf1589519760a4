#pragma once

#include <functional>
#include <vector>

#include "language/functions/builtin.hpp"

namespace volley {

/// One step of a walk: what the lambda returned, the item, and for a hash its key.
struct Step {
    const Value& result;
    const Value& item;   // a [key, value] pair for a hash
    const Value& index;  // the position, or the key for a hash
};

/// Calls the lambda with each item of a collection (`two`: with key and value, or with index and item) until
/// `next` returns false. A break() in the lambda ends the walk.
void walk(CallContext& context, const Value& collection, bool two,
          const std::function<bool(const Step&)>& next);

/// The same, but goes on where the last walk over an iterator has stopped.
void walk_on(CallContext& context, const Value& collection, bool two,
             const std::function<bool(const Step&)>& next);

/// True for a hash and for what walks over one.
bool hash_style(const Value& collection);

/// The four ways in which functions such as each() take a collection and a lambda.
std::vector<Dispatch> iteration_dispatches(Dispatch::Body with_two, Dispatch::Body with_one);

/// Applies `change` to a string, or to each string of a list; numbers stay as they are.
Value each_string(const Value& value, const std::function<std::string(const std::string&)>& change);
std::vector<Dispatch> string_or_list_dispatches(Dispatch::Body body);

/// Applies `change` to a string and to all strings inside of lists and hashes, keys too; the rest stays.
Value each_nested_string(const Value& value, const std::function<std::string(const std::string&)>& change);
/// A function of that kind: of a number, a text, or lists and hashes of such.
Builtin nested_string_function(std::string_view name, std::string_view doc, Dispatch::Body body);

}  // namespace volley
