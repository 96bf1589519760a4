#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volley::cli {

/// One option as users see it: what the normaliser, help, completions and the manual page need to know.
struct OptionInfo {
    std::string name;                  ///< long name without dashes
    char letter = '\0';                ///< one-letter form; '\0' when there is none
    std::string value_name;            ///< "USER"; empty: takes no value
    bool negatable = false;            ///< also --no-NAME
    std::string group;                 ///< heading in help
    std::string description;           ///< one sentence
    std::vector<std::string> choices;  ///< values to complete; empty: any text
    bool hidden = false;               ///< understood, but of no use yet: not in help, completions and docs

    bool takes_value() const noexcept { return !value_name.empty(); }
};

/// nullptr when no option has that long name.
const OptionInfo* find_option(std::span<const OptionInfo> options, std::string_view name);

}  // namespace volley::cli
