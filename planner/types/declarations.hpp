#pragma once

#include "language/types/native_type.hpp"

namespace volley::planner {

/// One a type; each lives in the file of its name.
const NativeType& target_type();
const NativeType& resource_instance_type();
const NativeType& result_type();
const NativeType& apply_result_type();
const NativeType& result_set_type();
const NativeType& container_result_type();
const NativeType& future_type();

}  // namespace volley::planner
