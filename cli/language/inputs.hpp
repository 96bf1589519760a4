#pragma once

#include "cli/language/options.hpp"
#include "cli/language/request.hpp"
#include "inventory/project.hpp"

namespace volley::cli {

/// The request that a command line stands for: reads the files that it names. Without code and files the code
/// comes from standard input. Throws Error.
LanguageRequest make_language_request(const LanguageOptions& options, LanguageRequest::Mode mode,
                                      const inventory::Surroundings& surroundings);

/// The request in a line of `eval --batch` (tests/conformance/README.md). Throws Error for what is no
/// request.
LanguageRequest make_batch_request(const Json& line);

}  // namespace volley::cli
