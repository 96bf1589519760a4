#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "transports/task.hpp"

namespace volley::transports {

/// What only a person can answer, such as the passphrase of a key. Loop thread only.
class Questions {
public:
    /// Shows the question and returns the line that was typed, unseen; empty when there was none.
    using Ask = std::function<Task<std::string>(std::string question)>;

    /// `stop` ends the questions that are open, as if nothing had been typed.
    void answer_with(Ask ask, std::function<void()> stop) {
        ask_ = std::move(ask);
        stop_ = std::move(stop);
    }
    void stop() const {
        if (stop_) stop_();
    }
    /// Somebody is there to answer.
    bool can_ask() const noexcept { return static_cast<bool>(ask_); }
    Task<std::string> ask_hidden(std::string question);
    /// For how long people have been asked so far.
    std::chrono::steady_clock::duration waited() const;
    /// Returns after `limit`, in which the time for which a person is being asked does not count.
    Task<void> expire(boost::asio::io_context& loop, std::chrono::nanoseconds limit) const;

private:
    Ask ask_;
    std::function<void()> stop_;
    int open_ = 0;
    std::chrono::steady_clock::duration waited_{};
    std::chrono::steady_clock::time_point since_;
};

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
    Questions& questions() noexcept { return questions_; }
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

    Questions questions_;  // before the loop, whose coroutines ask
    boost::asio::io_context loop_;
    std::optional<boost::asio::thread_pool> workers_;
};

}  // namespace volley::transports
