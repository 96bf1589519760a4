#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "language/types/parse.hpp"
#include "language/value.hpp"
#include "support/json/json.hpp"

namespace volley {

/// What a conversation with Ruby code knows besides data: objects that it names by number, and functions that
/// make some.
class WorkerObjects {
public:
    virtual ~WorkerObjects() = default;
    /// The number under which Ruby code passes the object back.
    virtual std::uint64_t keep(const Value& object) = 0;
    /// Throws EvalError for a number that nobody knows.
    virtual Value kept(std::uint64_t number) = 0;
    /// The value of a function of the language, for objects that Ruby code has made.
    virtual Value made_by(const std::string& function, std::vector<Value> arguments) = 0;
};

/// A value on its way to the Ruby worker: data as JSON, everything else as {"__ptype": kind, "__pvalue":
/// content} (worker/values.rb is the other side). Text that is not UTF-8 goes as base64. Throws EvalError for
/// what Ruby code cannot be given (a lambda). Without `objects` an object goes as a copy.
Json encode_for_worker(const Value& value, WorkerObjects* objects = nullptr);

/// A value that came from the worker. Types are looked up in `types`.
Value decode_from_worker(const Json& data, TypeLoader& types, WorkerObjects* objects = nullptr);

}  // namespace volley
