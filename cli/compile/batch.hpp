#pragma once

#include "cli/terminal/console.hpp"

namespace volley::cli {

/// `volley eval --batch`: answers each line of standard input with one line, until its end. Nothing carries
/// over from one request to the next but files that were parsed and have not changed.
/// `ruby`: whether Ruby functions and ERB templates of modules are run.
int answer_batch(Console& console, bool ruby);

}  // namespace volley::cli
