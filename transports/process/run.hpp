#pragma once

#include <chrono>

#include "transports/connection.hpp"
#include "transports/process/process.hpp"

namespace volley::transports {

/// Runs a process to its end as Connection::execute does: pumps `input` and `sink` meanwhile, drains what is
/// there when it has ended, and does not wait for inherited pipes to close (SH-024). Cancelled, or when the
/// sink throws: TERM to its group, KILL after `grace`, then the exception goes on. `settings` must have
/// Channel::Pipes. Throws boost::system::system_error when the process cannot be started.
Task<ExitStatus> run_process(ProcessSettings settings, Input& input, OutputSink& sink,
                             std::chrono::milliseconds grace = std::chrono::seconds(3));

}  // namespace volley::transports
