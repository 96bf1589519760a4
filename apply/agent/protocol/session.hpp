#pragma once

#include <string>

namespace volley::agent {

/// The agent's side of the protocol: applies the catalog that comes on `in`, and says on `out` what happens.
/// Returns the exit code of the process. When the other side goes away the run ends at the next resource, and
/// its report is kept in the state folder, `state_folder` unless the settings name one, for the next run to
/// mention.
int serve(int in, int out, const std::string& state_folder);

}  // namespace volley::agent
