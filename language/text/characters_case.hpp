#pragma once

#include <string>

namespace volley {

/// Upper and lower case of UTF-8 text, one character for one: ASCII, Latin, Greek, Cyrillic, Armenian.
std::string to_upper(const std::string& text);
std::string to_lower(const std::string& text);
/// The first character in upper case, the others in lower case.
std::string to_capitalized(const std::string& text);

}  // namespace volley
