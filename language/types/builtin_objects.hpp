#pragma once

namespace volley {

struct NativeType;

/// Spec "Error" and "Deferred".
const NativeType& error_type();
const NativeType& deferred_type();

}  // namespace volley
