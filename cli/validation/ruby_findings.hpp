#pragma once

#include <string>
#include <vector>

#include "cli/validation/findings.hpp"

namespace volley::cli {

/// A Ruby program, or the template that it was made of.
struct RubyText {
    std::string text;
    std::string file;
    bool erb = false;
};

/// The syntax of Ruby programs and ERB templates, a list for each of them. With a ruby on PATH one process
/// reads them all, which runs none of them; without (or when `may_run_ruby` is false) the native parser reads
/// them, and what it does not understand is a warning that nobody has looked at it. Never throws.
std::vector<std::vector<Finding>> validate_ruby(const std::vector<RubyText>& texts, bool may_run_ruby);

}  // namespace volley::cli
