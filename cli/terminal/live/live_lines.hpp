#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/live/live_state.hpp"

namespace volley::cli {

/// What does not fit into so many columns is cut off.
std::string shortened(const std::string& text, std::size_t columns);
double seconds_since(std::chrono::steady_clock::time_point begin);

/// "command 'uptime': 3 of 5 done, 2 running, 1 failed, 7.4 s". The description is cut off where the counts
/// would not fit into `columns`.
std::string step_line(const LiveStep& step, std::size_t columns);
/// "parallelize at deploy.pp:7: 12 of 16 branches finished, 1 failed, 4 running, 7.4 s"; of other scopes, how
/// many of their steps have ended.
std::string scope_line(const LiveScope& scope);
/// "branch 3 (web3), failed > ", for a line that goes on with what is in it.
std::string joined_label(const LiveScope& scope);

/// The columns that a target's name takes in a list.
std::size_t name_width(const std::string& name);
/// Its name, how long it has been at it, and the last line that it said.
std::string target_line(const LiveState::Running& target, std::size_t width);
/// The last `count` lines, as a terminal can take them.
std::vector<std::string> last_lines_said(std::string_view said, std::size_t count);

/// The most frequent ones first; of each who, and the first and the last line of why; all within `space`
/// lines.
void add_failure_lines(std::vector<std::string>& lines, const std::vector<ResultGroup>& groups,
                       std::size_t space);

}  // namespace volley::cli
