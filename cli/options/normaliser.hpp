#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options/option_info.hpp"
#include "support/error.hpp"

namespace volley::cli {

/// The words of a command line, sorted out by the rules of Ruby's optparse, which Bolt's users know
/// (CLI-022 to CLI-025): long options may be shortened and stand anywhere, `--` ends them.
struct Normalised {
    /// "--name" (or "--no-name") with full names; the value, if the option takes one, is the next element.
    std::vector<std::string> options;
    std::vector<std::string> words;  ///< everything else, in order
};

/// An option that does not exist, or that may mean several.
class UnknownOption : public Error {
public:
    UnknownOption(const std::string& message, bool suggested)
        : Error("bolt/cli-error", message), suggested_(suggested) {}
    /// Whether the message says which one may have been meant.
    bool has_suggestion() const noexcept { return suggested_; }

private:
    bool suggested_;
};

/// Throws Error bolt/cli-error, which names the option and never its value; UnknownOption is one.
Normalised normalise(std::span<const std::string> arguments, std::span<const OptionInfo> options);

}  // namespace volley::cli
