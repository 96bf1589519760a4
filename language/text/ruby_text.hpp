#pragma once

#include <string>

#include "language/value.hpp"

/// What Ruby's own conversions return, where Puppet's behaviour shows them. Compatibility.
namespace volley {

/// value.to_s: ["a"] is ["a"], undef is empty, :default is default.
std::string ruby_to_s(const Value& value);
/// value.inspect: strings in double quotes, undef is nil.
std::string ruby_inspect(const Value& value);
/// value.class.name.
std::string ruby_class(const Value& value);
/// a <=> b as sort() uses it. Throws EvalError for values that have no order.
int ruby_compare(const Value& a, const Value& b);

}  // namespace volley
