#pragma once

#include <span>
#include <string>

#include "cli/console.hpp"
#include "cli/language/options.hpp"
#include "cli/language/report.hpp"
#include "inventory/project.hpp"

namespace volley::cli {

struct Verb;

/// What a language verb does once its options are read; gives the exit status.
using LanguageAction = int (*)(const LanguageOptions&, Console&, const inventory::Surroundings&);

/// Reads the words behind a language verb and does what they say: help, or the action. A mistake in the words
/// is told on standard error and ends with status 2.
int run_language_verb(const Verb& verb, std::span<const std::string> words, Console& console,
                      const inventory::Surroundings& surroundings, LanguageAction action);

/// Runs or parses what the options name and shows the result: 0, or 1 when the program is wrong.
int run_language_mode(const LanguageOptions& options, LanguageRequest::Mode mode, Console& console,
                      const inventory::Surroundings& surroundings);

/// How logs and results are shown.
LanguageReport::Settings report_settings(const LanguageOptions& options,
                                         const inventory::Surroundings& surroundings);

}  // namespace volley::cli
