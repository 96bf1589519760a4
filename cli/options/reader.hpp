#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/option_info.hpp"
#include "cli/options/options.hpp"

namespace CLI {
class App;
}

namespace volley::cli {

/// What options may do while they are read: the outside world, given by the program or by a test.
struct ParserHost {
    std::function<std::string(const std::string& value)> read_argument;  ///< the @file and - rule (ARG-001)
    std::function<std::string(std::string_view prompt)> read_password;   ///< OPT-010
    std::function<std::string(const std::string& path)> expand_path;     ///< against the working directory
    bool inventory_in_environment = false;                               ///< BOLT_INVENTORY is set (OPT-023)
};

/// Declares options once: CLI11 binds their values, and the list of OptionInfo describes them to the
/// normaliser, help and completions. CLI11 itself is read by reader.cpp only: it takes seconds to compile.
class OptionBuilder {
public:
    OptionBuilder(CLI::App& app, std::vector<OptionInfo>& infos, const ParserHost& host);

    void heading(std::string group) { group_ = std::move(group); }
    /// "-t,--targets": each occurrence is given to `set`, in order.
    void text(const std::string& names, std::string value_name, std::string description,
              std::function<void(const std::string&)> set, std::vector<std::string> choices = {});
    void number(const std::string& names, std::string value_name, std::string description,
                std::function<void(long)> set);
    /// One of `choices`, which may be shortened as long as it stays clear (OPT-027).
    void choice(const std::string& names, std::string value_name, std::string description,
                std::vector<std::string> choices, std::function<void(const std::string&)> set);
    void flag(const std::string& names, std::string description, std::function<void()> set);
    /// --NAME and --no-NAME.
    void toggle(const std::string& names, std::string description, std::function<void(bool)> set);
    /// Of what was declared so far: options that are understood and shown nowhere.
    void hide(std::string_view prefix);
    /// The values that help and completions offer for the option that was declared last.
    void offer(std::vector<std::string> choices) { infos_.back().choices = std::move(choices); }
    const ParserHost& host() const noexcept { return host_; }
    /// Where every option that is read is noted.
    void note_in(std::vector<GivenOption>& given) { given_ = &given; }

private:
    OptionInfo& describe(const std::string& names, std::string description);

    CLI::App& app_;
    std::vector<OptionInfo>& infos_;
    const ParserHost& host_;
    std::string group_;
    std::vector<GivenOption>* given_ = nullptr;
};

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

}  // namespace volley::cli
