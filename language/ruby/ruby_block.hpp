#pragma once

#include <exception>

#include "language/evaluator/closure.hpp"
#include "language/functions/builtin.hpp"
#include "support/json/json.hpp"

namespace volley {

/// A block of Ruby code as a lambda for functions of the language. `number` is the worker's, `arity` Ruby's:
/// -2 means one argument or more.
Ref<const Closure> ruby_block_closure(const CallContext& context, const Json& number, int arity);

/// What Ruby code in such a block has raised: passes through the language as it is, so that the Ruby code
/// around finds its own exception.
struct RubyBlockRaised {
    std::exception_ptr error;
};

}  // namespace volley
