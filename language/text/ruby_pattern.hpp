#pragma once

#include <string>
#include <string_view>

namespace volley {

/// The pattern for the engine that means what `source` means in Ruby: code points and bytes are characters,
/// \w, \d and \s are ASCII, and [[:punct:]] has the symbols too. Throws EvalError with Ruby's reason, without
/// the pattern, when an escape is wrong. `extended`: comments may follow "#". `repeats_anchors`: what matches
/// a position may be repeated, which the engine takes in a group only.
std::string engine_pattern(std::string_view source, bool ignore_case, bool extended, bool repeats_anchors);

}  // namespace volley
