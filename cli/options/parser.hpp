#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/options/option_info.hpp"
#include "cli/options/options.hpp"
#include "cli/options/reader.hpp"

namespace volley::cli {

/// Every option of the program. Options of other verbs are accepted and ignored, as Bolt does (CLI-024).
class OptionParser {
public:
    explicit OptionParser(ParserHost host);
    ~OptionParser();
    OptionParser(const OptionParser&) = delete;
    OptionParser& operator=(const OptionParser&) = delete;

    /// In the order of help. Valid as long as the parser.
    std::span<const OptionInfo> options() const noexcept;
    /// Reads options, with their effects in the order given; returns the words between them.
    /// Throws Error bolt/cli-error (CLI-025), bolt/file-error.
    std::vector<std::string> parse(std::span<const std::string> arguments);
    const Options& result() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace volley::cli
