#pragma once

#include <string>

namespace volley::cli {

/// docs/language/functions.md, from the declarations of the functions.
std::string language_functions_page();
/// docs/language/types.md.
std::string language_types_page();

}  // namespace volley::cli
