#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/option_info.hpp"
#include "cli/options/options.hpp"
#include "cli/options/parser.hpp"

namespace CLI {
class App;
}

namespace volley::cli {

/// Declares options once: CLI11 binds their values, and the list of OptionInfo describes them to the
/// normaliser, help and completions. CLI11 itself stays in the sources, because it costs
/// seconds a file.
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

/// The transports that can open sessions, sorted; others are known to configurations only.
std::vector<std::string> working_transports();

void add_target_options(OptionBuilder& builder, TargetOptions& target, ActionOptions& action,
                        DisplayOptions& display);
void add_authentication_options(OptionBuilder& builder, TransportOptions& transport);
void add_escalation_options(OptionBuilder& builder, TransportOptions& transport);
void add_run_options(OptionBuilder& builder, RunOptions& run, TransportOptions& transport,
                     ActionOptions& action);
void add_rollout_options(OptionBuilder& builder, planner::Rollout& rollout);
void add_transport_options(OptionBuilder& builder, TransportOptions& transport);
/// --node, --facts, --environment and --environmentpath. `facts`: what its value may be.
void add_node_options(OptionBuilder& builder, NodeOptions& node, std::string facts);
void add_content_options(OptionBuilder& builder, ActionOptions& action, LookupOptions& lookup);
void add_display_options(OptionBuilder& builder, DisplayOptions& display, ActionOptions& action);
void add_global_options(OptionBuilder& builder, Options& options);

}  // namespace volley::cli
