#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "language/types/parse.hpp"
#include "language/value.hpp"

namespace volley {

struct CallContext;

/// A value as its type and its attributes: what both forms of Pcore serialization make of types and objects.
/// Attributes that have their defaults are left out.
struct PcoreObject {
    std::string type;  // "Pcore::ArrayType", "Car"
    std::vector<std::pair<std::string, Value>> attributes = {};
};

/// nullopt for values that are data, or that are written as one text (a version, a time).
/// Compatibility: Boolean[true] and Sensitive[String] lose their parameters, as they do in Puppet.
std::optional<PcoreObject> describe_object(const Value& value);

/// The attributes as a stream has them, which knows no names: in front of the last one none is left out.
std::vector<Value> attributes_by_position(const Value& value, const PcoreObject& object);

/// Where objects are read into.
struct PcoreWorld {
    TypeLoader& types;
    CallContext* context = nullptr;  // needed for types that a component above makes instances of
};

/// The value that was described. Throws EvalError for an unknown type and attributes that do not fit.
Value make_object(const std::string& type, const Hash& attributes, const PcoreWorld& world);

/// A value from the one text that its type is written as: Timestamp, SemVer, Regexp ... Throws EvalError.
Value make_from_text(const std::string& type, const std::string& text, const PcoreWorld& world);
/// The other direction; nullopt for values that are not written as one text.
std::optional<std::pair<std::string, std::string>> as_typed_text(const Value& value);

/// "$[0]['key']": where in nested data something is.
std::string pcore_path_segment(const Value& key);

}  // namespace volley
