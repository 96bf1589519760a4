#pragma once

#include <boost/asio/awaitable.hpp>

namespace volley::transports {

/// A coroutine of the event loop (not to be confused with a Bolt task, tasks/task.hpp).
/// Rules for g++ 12 are in docs/architecture.md "Coroutines".
template <class T>
using Task = boost::asio::awaitable<T>;

}  // namespace volley::transports
