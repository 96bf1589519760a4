#pragma once

#include <string>

#include "language/value.hpp"
#include "support/yaml/block_writer.hpp"

namespace volley::stdlib {

using YamlLayout = yaml::BlockLayout;

/// A YAML document as Ruby writes it (Psych over libyaml): the same quotes, line breaks and indentation.
std::string yaml_text(const Value& value, const YamlLayout& layout);

}  // namespace volley::stdlib
