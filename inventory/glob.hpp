#pragma once

#include <string_view>

namespace volley::inventory {

/// Ruby's File.fnmatch with FNM_CASEFOLD, and with FNM_EXTGLOB when `alternatives` ({a,b}): '*' crosses '/', but
/// no wildcard matches a dot at the start (INV-063). A pattern with more than 10,000 alternatives throws Error
/// bolt.inventory/wildcard-error.
bool glob_match(std::string_view pattern, std::string_view text, bool alternatives);

/// True when the text contains one of * ? [ ] { }.
bool is_glob(std::string_view text) noexcept;

}  // namespace volley::inventory
