#pragma once

#include <span>
#include <string>

#include "cli/compile/options.hpp"
#include "cli/compile/report.hpp"
#include "cli/terminal/console.hpp"
#include "inventory/project/project.hpp"

namespace volley::cli {

struct Verb;

/// What a language verb does once its options are read; returns the exit status.
using LanguageAction = int (*)(const LanguageOptions&, Console&, const inventory::ProcessContext&);

/// Reads the words after a language verb and does what they say: help, or the action. A mistake in the words
/// is printed on standard error and ends with status 2.
int run_language_verb(const Verb& verb, std::span<const std::string> words, Console& console,
                      const inventory::ProcessContext& process, LanguageAction action);

/// Runs or parses what the options name and shows the result: 0, or 1 when the program is wrong.
int run_language_mode(const LanguageOptions& options, LanguageRequest::Mode mode, Console& console,
                      const inventory::ProcessContext& process);

/// How logs and results are shown.
LanguageReport::Settings report_settings(const LanguageOptions& options,
                                         const inventory::ProcessContext& process);

/// Prints what is wrong with the command line on standard error; the exit status for that.
int tell_misuse(const std::string& message);

}  // namespace volley::cli
