#pragma once

#include <string>

#include "language/value.hpp"

namespace volley::lookup {

/// Throw DataError "The Lookup Configuration at 'PATH' has wrong type, ..." unless the data have the shape
/// of a hiera.yaml of that version. Spec "Config file syntax".
void check_shape_3(const std::string& path, const Value& data);
void check_shape_4(const std::string& path, const Value& data);
void check_shape_5(const std::string& path, const Value& data);

}  // namespace volley::lookup
