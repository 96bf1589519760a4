#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/live/live_state.hpp"

namespace volley::cli {

double seconds_since(std::chrono::steady_clock::time_point begin);

/// "command 'uptime': 3 of 5 done, 2 running, 1 failed, 7.4 s".
std::string step_line(const LiveState::Step& step);

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
