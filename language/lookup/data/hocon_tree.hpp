#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "language/value.hpp"

namespace volley::lookup::hocon {

struct Node;
using NodePtr = std::shared_ptr<Node>;
using Path = std::vector<std::string>;

/// One key of an object with all that was given for it, in order: later objects merge, other values replace.
struct Field {
    std::string key;
    std::vector<NodePtr> values;
};

/// What a HOCON text says, before substitutions are filled in.
struct Node {
    enum class Kind { Scalar, Object, List, Substitution, Concatenation };
    Kind kind = Kind::Scalar;
    Value scalar;
    std::string text;    // of a Scalar, as written: what it adds to a concatenation
    bool blank = false;  // of a Scalar: white space between two values
    std::vector<Field> fields;
    std::unordered_map<std::string, std::size_t> positions;  // of fields, by key
    std::vector<NodePtr> items;                              // of a List or Concatenation
    Path path;                                               // of a Substitution
    bool optional = false;                                   // ${?path}
    int line = 0;

    Field* find(const std::string& key);
    Field& field(const std::string& key);
};

/// Adds a value under a path of keys. Objects that follow objects are merged at once.
void add_value(Node& object, const Path& path, NodePtr value);

/// Reads a text into its tree. Throws EvalError.
NodePtr parse(std::string_view text);

/// Fills in substitutions. Throws EvalError.
Value resolve(const NodePtr& root);

}  // namespace volley::lookup::hocon
