#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// An option that does not exist, or that may mean several. The message is "Unknown argument '--x'", with
/// what it may mean.
class UnknownOption : public Error {
public:
    UnknownOption(std::string typed, const std::string& hint)
        : Error("bolt/cli-error", "Unknown argument '" + typed + "'" + hint), typed_(std::move(typed)) {}
    const std::string& typed() const noexcept { return typed_; }

private:
    std::string typed_;
};

/// ": it could mean --a, --b" for the beginning of several, ". Did you mean '--a'?" for what is like one of
/// `options`; else empty.
std::string unknown_option_hint(std::string_view typed, std::span<const OptionInfo> options);

/// Throws Error bolt/cli-error, which names the option and never its value; UnknownOption is one.
Normalised normalise(std::span<const std::string> arguments, std::span<const OptionInfo> options);

}  // namespace volley::cli
