#pragma once

#include "language/serialization/pcore_object.hpp"
#include "support/json/json.hpp"

namespace volley {

struct PcoreDataOptions {
    /// A list, hash or object that stands in several places is written once; the other places refer to it.
    bool local_references = true;
};

/// Any value as data that JSON can hold, so that from_pcore_data restores it: what is not data is an object
/// with
/// "__ptype". Spec "Pcore values as Generic Data". Throws EvalError for what cannot be written (lambdas,
/// iterators).
Json to_pcore_data(const Value& value, const PcoreDataOptions& options = {});

/// The value of such data. Throws EvalError for unknown types, wrong references and data that goes in
/// circles.
Value from_pcore_data(const Json& data, const PcoreWorld& world);

}  // namespace volley
