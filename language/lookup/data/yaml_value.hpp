#pragma once

#include <string>
#include <string_view>

#include "language/value.hpp"

namespace volley::lookup {

/// A YAML text as Ruby's Psych reads it: anchors, aliases, merge keys, tags, keys of any kind; keys that are
/// symbols become text, as Hiera wants them. undef for an empty text. Throws LookupError, with the path, for
/// what is not valid YAML or what Hiera does not allow in it (dates, times, Ruby objects), and for aliases
/// that stand for millions of values.
Value yaml_value(std::string_view text, const std::string& path);

}  // namespace volley::lookup
