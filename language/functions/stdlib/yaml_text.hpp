#pragma once

#include <string>

#include "language/value.hpp"

namespace volley::stdlib {

struct YamlLayout {
    std::size_t indentation = 2;
    std::size_t width = 80;  // lines are broken at the first space after it
    bool folds = false;      // longer texts are written in folded style
};

/// A YAML document as Ruby writes it (Psych over libyaml): the same quotes, line breaks and indentation.
std::string yaml_text(const Value& value, const YamlLayout& layout);

}  // namespace volley::stdlib
