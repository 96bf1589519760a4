#pragma once

#include <span>
#include <string>

#include "apply/compiler/compiler.hpp"

namespace volley {

/// Whether the catalog has a resource (or, without a title, one of the type) with these values; the class or
/// defined type around does not count. What stdlib's defined_with_params() asks.
bool declared_with(CallContext& context, const ResourceKey& key, const Hash& parameters);

/// Declares Type[title] with these parameters unless it is there with them already: stdlib's
/// ensure_resource().
void ensure_declared(CallContext& context, const std::string& type, const Value& title,
                     const Value& parameters);

/// The hash that an optional argument is; an empty one when it is missing or undef.
Value hash_argument(std::span<const Value> args, std::size_t index);

}  // namespace volley
