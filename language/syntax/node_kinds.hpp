#pragma once

#include "language/syntax/ast.hpp"

/// Groups of node kinds that several rules speak of.
namespace volley::ast {

template <NodeKind... kinds>
constexpr bool is_any(NodeKind kind) noexcept {
    return ((kind == kinds) || ...);
}

/// A literal whose value is the same everywhere and consists of nothing else.
constexpr bool is_plain_value(NodeKind kind) noexcept {
    using enum NodeKind;
    return is_any<Undef, Default, Boolean, Integer, Float, String, Name>(kind);
}

/// What stands between two operands without changing anything: a Binary.
constexpr bool is_pure_operator(NodeKind kind) noexcept {
    using enum NodeKind;
    return is_any<And, Or, In, Arithmetic, Comparison, NamedAccess>(kind);
}

/// A Unary, or the name of a variable.
constexpr bool has_one_operand(NodeKind kind) noexcept {
    using enum NodeKind;
    return is_any<Not, Minus, Unfold, Paren, Text, Render, Variable>(kind);
}

constexpr bool is_definition(NodeKind kind) noexcept {
    using enum NodeKind;
    return is_any<Class, Define, Function, Plan, NodeDefinition, TypeAlias, TypeMapping, TypeDefinition>(
        kind);
}

}  // namespace volley::ast
