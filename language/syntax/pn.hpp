#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "language/syntax/ast.hpp"
#include "support/json/json.hpp"

namespace volley {

/// Puppet's S-expression notation for a tree (spec models/pn.md): a literal, a list, a map, or a call.
class Pn {
public:
    enum class Kind { Literal, List, Map, Call };
    using Scalar = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

    static Pn literal(Scalar value);
    static Pn big_integer(std::string digits);
    static Pn list(std::vector<Pn> elements);
    static Pn call(std::string name, std::vector<Pn> elements = {});
    static Pn map() { return Pn(Kind::Map); }
    /// Adds an entry to a map.
    Pn& add(std::string key, Pn value);
    /// This as the arguments of a call: the elements of a list, else itself.
    Pn as_call(std::string name) &&;

    /// On one line: (call {:functor (qn "f") :args [1 2]}).
    std::string text() const;
    /// As JSON: calls are {"^": [...]}, maps {"#": [...]}.
    Json json() const;

private:
    explicit Pn(Kind kind) : kind_(kind) {}
    void append_text(std::string& out) const;

    Kind kind_;
    Scalar value_;
    std::string name_;  // of a call; the digits of a big integer
    std::vector<std::string> keys_;
    std::vector<Pn> elements_;
};

/// The tree of a program in that notation.
Pn to_pn(const ast::Program& program);
Pn to_pn(const ast::Node& node);

}  // namespace volley
