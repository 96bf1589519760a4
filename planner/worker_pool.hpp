#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <functional>
#include <memory>

#include "transports/task.hpp"

namespace volley::planner {

/// Runs job(0) ... job(count - 1), at most `size` at once, each as soon as a worker is free. There are never
/// more coroutines than `size`, so 10,000 targets cost no more than those that run. Loop thread only.
class WorkerPool {
public:
    /// `job` must not throw; it is copied and lives as long as any worker does.
    using Job = std::function<transports::Task<void>(std::size_t index)>;

    WorkerPool(boost::asio::any_io_executor loop, std::size_t count, std::size_t size, Job job);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Ends when every started job has ended, or after abandon(). When it is cancelled itself it stops the
    /// pool and still waits for the jobs.
    transports::Task<void> run();
    /// Starts no more jobs and cancels (asio cancellation) those that run, but not those that `spare` names.
    void stop(const std::function<bool(std::size_t index)>& spare = {});
    /// Cancels the job of that index when it runs; its worker goes on with the next one, for which the job
    /// has to reset its cancellation state.
    void cancel(std::size_t index);
    /// Starts no more jobs; those that run go on.
    void close();
    /// Lets run() end although jobs still run; they stay suspended until the loop is destroyed.
    void abandon();
    bool stopped() const noexcept;

private:
    struct State;
    static transports::Task<void> work(std::shared_ptr<State> state, std::size_t worker);
    std::shared_ptr<State> state_;
};

}  // namespace volley::planner
