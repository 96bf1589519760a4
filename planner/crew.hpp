#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <functional>
#include <memory>

#include "transports/task.hpp"

namespace volley::planner {

/// Runs job(0) ... job(count - 1), at most `size` at once, each as soon as there is room. There are never
/// more coroutines than `size`, so 10,000 targets cost no more than those at work. Loop thread only.
class Crew {
public:
    /// `job` must not throw; it is copied and lives as long as any worker does.
    using Job = std::function<transports::Task<void>(std::size_t index)>;

    Crew(boost::asio::any_io_executor loop, std::size_t count, std::size_t size, Job job);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// Ends when every started job has ended, or after give_up(). When it is cancelled itself it stops the
    /// crew and still waits for the jobs.
    transports::Task<void> run();
    /// Starts no more jobs and cancels (asio cancellation) those at work.
    void stop();
    /// Lets run() end although jobs are still at work; they stay suspended until the loop is destroyed.
    void give_up();
    bool stopped() const noexcept;

private:
    struct State;
    static transports::Task<void> work(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace volley::planner
