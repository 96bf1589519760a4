#pragma once

namespace volley::cli {

class Session;
struct CommandLine;

/// `volley console`: reads code of plans, runs each input on the same run of a plan, and prints its value,
/// until Ctrl-D, "exit" or "quit". Ctrl-C ends what runs and nothing else. Throws Error bolt/cli-error when
/// nobody is at a terminal.
int run_plan_console(Session& session, const CommandLine& line);

}  // namespace volley::cli
