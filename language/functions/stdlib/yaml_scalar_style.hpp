#pragma once

#include <cstddef>
#include <string>

#include "support/yaml/block_writer.hpp"

namespace volley::stdlib {

/// The style in which Ruby asks for a text; what is then used depends on what the text allows.
yaml::ScalarStyle wanted_yaml_style(const std::string& text, bool folds, std::size_t width);

}  // namespace volley::stdlib
