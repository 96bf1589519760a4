#pragma once

#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "cli/options/reader.hpp"

namespace volley::cli {

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
