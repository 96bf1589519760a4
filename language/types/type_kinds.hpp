#pragma once

#include "language/types/type.hpp"

namespace volley::types {

/// A type that contains one other and is a WrapperType.
constexpr bool is_wrapper(TypeKind kind) noexcept {
    using enum TypeKind;
    return kind == Optional || kind == NotUndef || kind == Type || kind == Sensitive || kind == Iterable ||
           kind == Iterator;
}

}  // namespace volley::types
