#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_info.hpp"
#include "cli/options/options.hpp"

namespace volley::cli {

/// What options may do while they are read: the outside world, given by the program or by a test.
struct ParserHost {
    std::function<std::string(const std::string& value)> read_argument;  ///< the @file and - rule (ARG-001)
    std::function<std::string(std::string_view prompt)> read_password;   ///< OPT-010
    std::function<std::string(const std::string& path)> expand_path;     ///< against the working directory
    bool inventory_in_environment = false;                               ///< BOLT_INVENTORY is set (OPT-023)
};

class OptionBuilder;

/// Reads the options that were declared to its builder: the one way from words to values.
class OptionReader {
public:
    explicit OptionReader(ParserHost host);
    ~OptionReader();
    OptionReader(const OptionReader&) = delete;
    OptionReader& operator=(const OptionReader&) = delete;

    OptionBuilder& builder() noexcept;
    /// In the order of their declaration, which is that of help. Valid as long as the reader.
    std::span<const OptionInfo> options() const noexcept;
    /// Calls what the options do, in the order given; returns the words between them.
    /// Throws Error bolt/cli-error (CLI-025) and what the options throw.
    std::vector<std::string> read(std::span<const std::string> arguments);

private:
    struct State;
    std::unique_ptr<State> state_;
};

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
