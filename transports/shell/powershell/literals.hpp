#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/json/json.hpp"

namespace volley::transports {

/// `text` as a PowerShell expression that is exactly this string, whatever is in it: nothing is expanded.
std::string powershell_string(std::string_view text);
/// A list of strings, which stays a list with one element or none.
std::string powershell_list(const std::vector<std::string>& texts);

/// What the target alone knows, such as its temporary directory: a text that stands for it in values that are
/// made here, and the expression that has it there.
struct PowerShellVariable {
    std::string placeholder;
    std::string expression;
};

/// A JSON value as a PowerShell expression of the same type: hashtable, array, string, number, $true, $null.
/// Keys that only differ in case are one, as everywhere in PowerShell; the last one counts. A string that is
/// the variable's placeholder becomes the variable.
std::string powershell_value(const Json& value, const PowerShellVariable& variable);

/// Sets environment variables for what follows, all in one line, so that errors in what follows have at most
/// one line more before them. "" where there is none.
std::string powershell_environment(const std::vector<std::pair<std::string, std::string>>& environment,
                                   const PowerShellVariable& variable);

}  // namespace volley::transports
