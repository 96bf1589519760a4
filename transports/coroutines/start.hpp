#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <exception>
#include <functional>

#include "transports/task.hpp"

namespace volley::transports {

// Compiled once: each file that uses co_spawn() itself takes a second longer to compile.

/// Runs `work` on its own. Nobody waits for it, and what it throws is dropped. Throws std::bad_alloc.
void start(const boost::asio::any_io_executor& executor, Task<void> work);

/// The same, until `slot` cancels it. `ended` is called on the executor with what `work` threw, or null; what
/// `ended` throws leaves the executor's loop.
void start(const boost::asio::any_io_executor& executor, Task<void> work,
           std::function<void(const std::exception_ptr&)> ended, boost::asio::cancellation_slot slot = {});

}  // namespace volley::transports
