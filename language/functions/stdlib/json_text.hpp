#pragma once

#include <string>

#include "language/value.hpp"

namespace volley::stdlib {

/// What is put between the parts of a JSON text; all empty for the short form.
struct JsonLayout {
    std::string indent = {};
    std::string space = {};
    std::string space_before = {};
    std::string object_line = {};
    std::string array_line = {};
};

/// JSON as Ruby's generator writes it: what JSON does not know is text, as to_s returns it.
std::string json_text(const Value& value, const JsonLayout& layout);

}  // namespace volley::stdlib
