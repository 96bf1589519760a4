#pragma once

#include "language/functions/builtin.hpp"

namespace volley {
namespace types {
class ObjectType;
}

/// The function of Type.new and Type(...), or nullptr when the type has no instances of its own making.
/// Puppet names these functions in messages: 'new_float' expects ...
const Builtin* creator_of(const Type& type);

/// An instance of an Object type from its attributes: one hash, or one argument for each. Puppet's dispatches
/// and their messages: 'new_P' expects ...
Value create_object(CallContext& context, const types::ObjectType& type, std::span<const Value> arguments);

/// What Type.new accepts; empty when there is no new. For the type Init.
std::vector<Signature> creator_signatures(const Type& type);

std::vector<Signature> object_signatures(const types::ObjectType& type);

// One for each type; see creators.cpp for the table.
const Builtin& integer_creator();
const Builtin& float_creator();
const Builtin& numeric_creator();
const Builtin& boolean_creator();
const Builtin& string_creator();
const Builtin& regexp_creator();
const Builtin& array_creator();
const Builtin& hash_creator();
const Builtin& sensitive_creator();
const Builtin& type_creator();
const Builtin& unit_creator();
const Builtin& timespan_creator();
const Builtin& timestamp_creator();
const Builtin& binary_creator();
const Builtin& version_creator();
const Builtin& version_range_creator();
const Builtin& uri_creator();

}  // namespace volley
