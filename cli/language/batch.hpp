#pragma once

#include "cli/console.hpp"

namespace volley::cli {

/// `volley eval --batch`: answers each line of standard input with one line, until its end. Nothing carries
/// over from one request to the next but files that were parsed and have not changed.
int answer_batch(Console& console);

}  // namespace volley::cli
