#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <type_traits>
#include <utility>

#include "transports/task.hpp"

namespace volley::transports {

/// The program's one event loop, run by one thread, and the threads for what blocks or computes (name
/// resolution, key decryption, disk). The threads start with the first job, so a run that needs none pays
/// nothing.
class Runtime {
public:
    /// Also makes a broken pipe an error of write() (EPIPE) instead of the end of the program.
    Runtime();
    ~Runtime() {
        if (workers_) workers_->join();
    }
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    boost::asio::io_context& loop() noexcept { return loop_; }
    boost::asio::thread_pool& workers() {
        if (!workers_) workers_.emplace(2);
        return *workers_;
    }

    /// Runs `work` on a worker thread and continues on the loop with its result or exception.
    /// `work` must own what it uses: the awaiting coroutine may be cancelled meanwhile.
    template <class Work>
    Task<std::invoke_result_t<Work>> blocking(Work work) {
        auto job = run(std::move(work));
        co_return co_await boost::asio::co_spawn(workers(), std::move(job), boost::asio::use_awaitable);
    }

private:
    template <class Work>
    static Task<std::invoke_result_t<Work>> run(Work work) {
        co_return work();
    }

    boost::asio::io_context loop_;
    std::optional<boost::asio::thread_pool> workers_;
};

}  // namespace volley::transports
